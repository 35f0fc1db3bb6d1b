#include "host/config/command_line/arguments_errors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/config/command_line/cs_ip.hpp"
#include "host/config/keys/key_names.hpp"
#include "host/config/keys/keys.hpp"
#include "host/config/keys/model_zoo.hpp"
#include "sw/base/did_you_mean.hpp"

namespace weft::config {
namespace {

const Place kPlace{"command line", 0};

/// Subject of an error message: an empty word is shown as ''.
std::string shown(const std::string& word) { return word.empty() ? "''" : word; }

/// Guesses the intended command. Modes are suggested as `run --mode`.
std::string meant(const std::string& word) {
  constexpr std::string_view kModes[] = {"eval", "train_and_eval", "compile_only", "validate_only", "generate"};
  if (std::ranges::find(kModes, word) != std::end(kModes)) return "run --mode " + word;
  std::vector<std::string_view> names;
  for (const CommandInfo& command : commands()) names.push_back(command.name);
  const std::string near = nearest(word, names);
  return near.empty() ? "run" : near;
}

Refusal unknown_flag(std::string_view name, const CommandInfo& command) {
  if (const Lacking* lacking = command.keys ? find_lacking(lacking_flags(), name) : nullptr)
    return kPlace.error(fmt::format("--{}", name),
                        fmt::format("only the Model Zoo has it, where it {}", lacking->would), lacking->nearest);
  std::vector<std::string_view> names;
  for (const CommandFlag& flag : command.flags) names.push_back(flag.name);
  if (command.keys)
    for (const Flag& flag : key_flags()) names.push_back(flag.name);
  const std::string key = command.keys ? keys_named(name, "--") : "";  // "--eval_steps", "--hidden_size"
  if (!key.empty()) return kPlace.error(fmt::format("--{}", name), "unknown flag", "write " + key);
  const std::string flag = nearest(name, names);
  const std::string near = !flag.empty() ? "--" + flag : command.keys ? nearest_key(name, "--") : "";
  return kPlace.error(
      fmt::format("--{}", name), "unknown flag",
      near.empty() ? fmt::format("see weft {} --help", command.name) : fmt::format("did you mean {}?", near));
}

/// Hint for a word that follows no flag.
std::string hint_for_word(const std::string& word, const CommandInfo& command) {
  const std::string bare = word.substr(word.starts_with('-') ? 1 : 0);
  const std::string name = bare.substr(0, bare.find('='));
  if (bare.ends_with(".yaml") || bare.ends_with(".yml")) return fmt::format("write --params {}", bare);
  const auto named = [&](const auto& flag) { return flag.name == name; };
  if (std::ranges::any_of(key_flags(), named)) return fmt::format("write --{}", bare);
  return fmt::format("see weft {} --help", command.name);
}

}  // namespace

Refusal unknown_command(const std::string& word) {
  return kPlace.error(shown(word), "unknown command", fmt::format("use weft {}, or see weft --help", meant(word)));
}

Refusal unknown_word(const std::string& word, const CommandInfo& command) {
  if (!word.starts_with("--")) return kPlace.error(shown(word), "belongs to no flag", hint_for_word(word, command));
  const std::string name = word.substr(2, word.find('=', 2) - 2);
  if (command.keys && name.find('.') != std::string::npos) return kPlace.error(name, "unknown key", hint_for_key(name));
  return unknown_flag(name, command);
}

void check_value(const Given& given) {
  if (given.wants_value() == given.value.has_value()) return;
  const std::string flag = "--" + given.name;
  if (given.value) throw kPlace.error(flag, "has a value", "write " + flag);
  if (given.of_key != nullptr && given.of_key->key == kBoardAddress) throw no_address();
  throw kPlace.error(flag, "has no value", fmt::format("write {} VALUE", flag));
}

Refusal no_params() {
  return kPlace.error("--params", "missing", "name a parameter file, e.g. --params configs/gpt_tiny.yaml");
}

}  // namespace weft::config
