#include "host/appliance/config/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "host/appliance/config/commands.hpp"
#include "host/appliance/config/keys.hpp"

namespace weft {
namespace {

struct Flag {
  std::string_view name, key, value, help;
};
constexpr Flag kFlags[] = {
    {"params", "", "FILE", "parameter file, e.g. configs/gpt_tiny.yaml (required)"},
    {"num_csx", "runconfig.num_csx", "N", "wafers; changes the speed, never the result"},
    {"model_dir", "runconfig.model_dir", "DIR",
     "where checkpoints and metrics.jsonl go; if it has a checkpoint, the run goes on"},
    {"checkpoint_path", "runconfig.checkpoint_path", "PATH",
     "start from these weights, if model_dir has none: a file, or a folder of Hugging Face's"},
    {"num_steps", "runconfig.num_steps", "N", "steps to train in all, instead of runconfig.max_steps"},
    {"mode", "runconfig.mode", "MODE", "train, eval, train_and_eval, compile_only, validate_only or generate"},
    {"seed", "runconfig.seed train_input.seed", "N",
     "of the initial parameters, of the order of samples, and of generate's choices"},
    {"prompt", "runconfig.prompt", "TEXT", "what mode generate goes on with; as often as there are texts"},
    {"prompt_tokens", "runconfig.prompt_tokens", "IDS", "or token ids, e.g. \"1,2,3\"; then it prints ids"},
    {"prompts_file", "runconfig.prompts_file", "FILE", "or a file with a prompt a line"},
    {"stop", "runconfig.stop", "TEXT", "of mode generate: what ends a text, before it; as often as there are such"},
    {"backend", "wafer.backend", "NAME",
     "model: functional model, rtl: simulated RTL, fpga: a board; same bits from all. rtl,model: wafers in turn"},
    {"check", "wafer.check", "NAME",
     "model or rtl: each wafer has a second one, and the first difference ends the run"},
};

const Place kPlace{"command line", 0};

const Flag& find_flag(std::string_view name, const CommandInfo& command) {
  std::vector<std::string_view> names;
  for (const CommandFlag& flag : command.flags) names.push_back(flag.name);
  for (const Flag& flag : kFlags) {
    if (!command.keys) break;
    if (flag.name == name) return flag;
    names.push_back(flag.name);
  }
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
  if (std::ranges::any_of(kFlags, named)) return fmt::format("write --{}", bare);
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

bool is_help(const std::string& word) { return word == "--help" || word == "-h"; }

}  // namespace

Arguments parse_arguments(const std::vector<std::string>& words) {
  Arguments result;
  if (words.empty() || is_help(words[0])) {
    result.help = true;
    return result;
  }
  result.command = words[0];
  const CommandInfo& command = command_of(words[0]);
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
    std::string key = name;
    if (!of_command && (name.find('.') == std::string::npos || !command.keys)) key = find_flag(name, command).key;
    std::string value;
    if (of_command && flag->value.empty()) {
      if (equals != std::string::npos) throw kPlace.error("--" + name, "has a value", "write --" + name);
    } else if (equals != std::string::npos) {
      value = words[i].substr(equals + 1);
    } else if (i + 1 < words.size() && !words[i + 1].starts_with("--")) {
      value = words[++i];
    } else {
      throw kPlace.error("--" + name, "has no value", fmt::format("write --{} VALUE", name));
    }
    if (of_command) {
      result.options[name] = value;
    } else if (key.empty()) {
      result.params = value;
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
                         o.key == "wafer.backend" || o.key.starts_with("runconfig.prompt");
    if (!of_runs) text += fmt::format(" --{} {}", o.key, quoted(o.value));
  }
  return text;
}

void print_help(std::ostream& out) {
  out << "Weft trains a GPT on weight-streaming wafers.\n\n"
         "  weft COMMAND --params FILE [flags] [--section.key VALUE ...]\n\n";
  for (const CommandInfo& command : commands()) out << fmt::format("  {:<10} {}\n", command.name, command.help);
  out << "\n  weft COMMAND --help   its flags, and all keys\n\n"
         "Example: weft run --params configs/gpt_tiny.yaml --num_csx 4 --model_dir out --num_steps 20 --mode train\n";
}

void print_command_help(const std::string& name, std::ostream& out) {
  const CommandInfo& command = command_of(name);
  out << fmt::format("weft {}{}\n  {}\n\n", name,
                     command.keys ? " --params FILE [flags] [--section.key VALUE ...]" : " [flags]", command.help);
  for (const CommandFlag& flag : command.flags)
    out << fmt::format("  --{:<15} {:<6} {}\n", flag.name, flag.value, flag.help);
  if (!command.keys) return;
  if (!command.flags.empty()) out << '\n';
  for (const Flag& flag : kFlags) out << fmt::format("  --{:<15} {:<6} {}\n", flag.name, flag.value, flag.help);
  out << "\nKeys of a parameter file. Each can be overridden: --model.num_heads 4, --optimizer.betas=\"[0.9, "
         "0.99]\".\n";
  print_keys(out);
}

}  // namespace weft
