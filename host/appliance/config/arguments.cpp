#include "host/appliance/config/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/appliance/config/commands.hpp"
#include "host/appliance/config/cs_ip.hpp"
#include "host/appliance/config/flags.hpp"
#include "host/appliance/config/keys.hpp"
#include "host/appliance/config/model_zoo.hpp"

namespace weft {
namespace {

const Place kPlace{"command line", 0};

const Flag& find_flag(std::string_view name, const CommandInfo& command) {
  std::vector<std::string_view> names;
  for (const CommandFlag& flag : command.flags) names.push_back(flag.name);
  for (const Flag& flag : key_flags()) {
    if (!command.keys) break;
    if (flag.name == name) return flag;
    names.push_back(flag.name);
  }
  if (const Lacking* lacking = command.keys ? find_lacking(lacking_flags(), name) : nullptr)
    throw kPlace.error(fmt::format("--{}", name), fmt::format("only the Model Zoo has it, where it {}", lacking->would),
                       lacking->nearest);
  const std::string flag = nearest(name, names);
  const std::string near = !flag.empty() ? "--" + flag : command.keys ? nearest_key(name, "--") : "";
  throw kPlace.error(
      fmt::format("--{}", name), "unknown flag",
      near.empty() ? fmt::format("see weft {} --help", command.name) : fmt::format("did you mean {}?", near));
}

/// Of a word that follows no flag.
std::string hint_for_word(const std::string& word, const CommandInfo& command) {
  const std::string bare = word.substr(word.starts_with('-') ? 1 : 0);
  const std::string name = bare.substr(0, bare.find('='));
  if (bare.ends_with(".yaml") || bare.ends_with(".yml")) return fmt::format("write --params {}", bare);
  const auto named = [&](const Flag& flag) { return flag.name == name; };
  if (std::ranges::any_of(key_flags(), named)) return fmt::format("write --{}", bare);
  return fmt::format("see weft {} --help", command.name);
}

/// The command that was meant: what is a mode is one of `run`.
std::string meant(const std::string& word) {
  constexpr std::string_view kModes[] = {"train",        "eval",          "train_and_eval",
                                         "compile_only", "validate_only", "generate"};
  if (std::ranges::find(kModes, word) != std::end(kModes)) return "run --mode " + word;
  std::vector<std::string_view> names;
  for (const CommandInfo& command : commands()) names.push_back(command.name);
  const std::string near = nearest(word, names);
  return near.empty() ? "run" : near;
}

const CommandInfo& command_of(const std::string& word) {
  if (const CommandInfo* command = find_command(word)) return *command;
  throw kPlace.error(word, "unknown command", fmt::format("use weft {}, or see weft --help", meant(word)));
}

/// -p is --params, where that is a flag.
std::vector<std::string> spelled_out(std::vector<std::string> words, const CommandInfo& command) {
  for (std::string& word : words)
    for (const Flag& flag : key_flags())
      if (command.keys && flag.letter != 0 && word == std::string{'-', flag.letter})
        word = fmt::format("--{}", flag.name);
  return words;
}

bool is_help(const std::string& word) { return word == "--help" || word == "-h"; }

}  // namespace

Arguments parse_arguments(const std::vector<std::string>& typed) {
  Arguments result;
  result.version = !typed.empty() && typed[0] == "--version";
  result.help = typed.empty() || is_help(typed[0]);
  if (result.help || result.version) return result;
  result.command = typed[0];
  const CommandInfo& command = command_of(typed[0]);
  const std::vector<std::string> words = spelled_out(typed, command);
  std::string board;  // of --cs_ip
  const auto own = [&](const std::string& name) { return std::ranges::find(command.flags, name, &CommandFlag::name); };
  std::size_t loose = 0;  // words so far that follow no flag
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (is_help(words[i])) {
      result.help = true;
      return result;
    }
    if (!words[i].starts_with("--") && loose < command.words.size()) {
      result.options[std::string(command.words[loose++])] = words[i];
      continue;
    }
    if (!words[i].starts_with("--"))
      throw kPlace.error(words[i], "belongs to no flag", hint_for_word(words[i], command));
    const std::size_t equals = words[i].find('=');
    const std::string name = words[i].substr(2, equals == std::string::npos ? equals : equals - 2);
    const auto flag = own(name);
    const bool of_command = flag != command.flags.end();
    const bool is_key = !of_command && name.find('.') != std::string::npos && command.keys;
    const Flag* of_key = of_command || is_key ? nullptr : &find_flag(name, command);
    const std::string key(of_key != nullptr ? of_key->key : name);
    std::string value;
    if (of_command ? flag->value.empty() : of_key != nullptr && of_key->value.empty()) {
      if (equals != std::string::npos) throw kPlace.error("--" + name, "has a value", "write --" + name);
      value = of_key != nullptr ? name : "";
    } else if (equals != std::string::npos) {
      value = words[i].substr(equals + 1);
    } else if (i + 1 < words.size() && !words[i + 1].starts_with("--")) {
      value = words[++i];
    } else {
      throw key == kBoardAddress ? no_address()
                                 : kPlace.error("--" + name, "has no value", fmt::format("write --{} VALUE", name));
    }
    if (of_command) {
      result.options[name] = value;
    } else if (key.empty()) {
      result.params = value;
    } else if (key == kBoardAddress) {
      board = value.empty() ? throw no_address() : value;
    } else {
      for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {  // a flag may be of several keys
        end = key.find(' ', at);
        result.overrides.push_back({key.substr(at, end - at), value});
      }
    }
  }
  if (result.params.empty() && command.config) {
    throw kPlace.error("--params", "missing", "name a parameter file, e.g. --params configs/gpt_tiny.yaml");
  }
  if (!board.empty()) use_board_at(board, result.overrides);
  return result;
}

std::string options_to_look(const Arguments& arguments) {
  const auto quoted = [](const std::string& text) {
    const bool plain =
        text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=") ==
        std::string::npos;
    if (plain && !text.empty()) return text;
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
  };
  std::string text = "--params " + quoted(arguments.params);
  for (const Override& o : arguments.overrides) {
    if (o.key == "runconfig.mode" && !o.value.starts_with("train")) return "";
    const bool of_runs = o.key == "runconfig.mode" || o.key == "runconfig.num_csx" || o.key == "runconfig.num_steps" ||
                         o.key == "runconfig.max_steps" || o.key == "wafer.backend" ||
                         o.key.starts_with("runconfig.prompt");
    if (!of_runs) text += fmt::format(" --{} {}", o.key, quoted(o.value));
  }
  return text;
}

}  // namespace weft
