#include "host/config/command_line/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <vector>

#include "host/config/command_line/commands.hpp"
#include "host/config/command_line/flags.hpp"
#include "host/config/keys/keys.hpp"

namespace weft::config {
namespace {

/// Possible values of a flag.
struct Value {
  enum class Kind : std::uint8_t { None, Words, Files, Folders, Free } kind = Kind::Free;
  std::vector<std::string> words = {};
};

struct Option {
  std::string name;  ///< with hyphens
  std::string help, shape;
  Value value;
};

/// Derives the possible values from the placeholder: "bash|zsh", FILE, DIR.
Value value_of_shape(std::string_view shape) {
  if (shape.empty()) return {Value::Kind::None};
  if (shape == "FILE" || shape == "PATH" || shape == "SIDE") return {Value::Kind::Files};
  if (shape == "DIR") return {Value::Kind::Folders};
  if (shape.find('|') == std::string_view::npos) return {};
  Value value{Value::Kind::Words};
  for (std::size_t at = 0, end = 0; end != std::string_view::npos; at = end + 1) {
    end = shape.find('|', at);
    value.words.emplace_back(shape.substr(at, end - at));
  }
  return value;
}

Value value_of_key(std::string_view name) {
  const auto key = std::ranges::find(config_keys(), name, &Key<Config>::name);
  if (key == config_keys().end()) return {};
  Config config;
  if (std::holds_alternative<bool*>(key->slot(config))) return {Value::Kind::Words, {"true", "false"}};
  if (!key->choices.empty()) return {Value::Kind::Words, {key->choices.begin(), key->choices.end()}};
  if (name.ends_with("_dir") && !name.ends_with("data_dir")) return {Value::Kind::Folders};
  return {name.ends_with("_path") || name.ends_with("_file") || name.ends_with("data_dir") ? Value::Kind::Files
                                                                                           : Value::Kind::Free};
}

std::vector<Option> options_of(const CommandInfo& command) {
  std::vector<Option> options;
  const auto add = [&](const std::string& name, std::string_view help, std::string_view shape, Value value) {
    options.push_back({name, std::string(help), std::string(shape), std::move(value)});
  };
  for (const CommandFlag& flag : command.flags)
    add(fmt::format("--{}", flag.name), flag.help, flag.value, value_of_shape(flag.value));
  add("--help", "the command's flags", "", {Value::Kind::None});
  if (!command.keys) return options;
  for (const Flag& flag : key_flags()) {
    if (flag.key.empty() && command.writes_config) continue;
    const Value shape = value_of_shape(flag.value), key = value_of_key(flag.key);
    const Value& value = shape.kind == Value::Kind::Free ? key : shape;
    add(fmt::format("--{}", flag.name), flag.help, flag.value, value);
    if (flag.letter != 0) add(fmt::format("-{}", flag.letter), flag.help, flag.value, value);
  }
  for (const Key<Config>& key : config_keys())
    add(fmt::format("--{}", key.name), key.help, "VALUE", value_of_key(key.name));
  return options;
}

/// Possible values of positional words.
Value loose_value(const CommandInfo& command) {
  if (command.words.empty()) return {Value::Kind::None};
  const auto flag = std::ranges::find(command.flags, command.words.front(), &CommandFlag::name);
  return flag == command.flags.end() ? Value{} : value_of_shape(flag->value);
}

std::string bash_action(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Words:
      return fmt::format("words='{}'", fmt::join(value.words, " "));
    case Value::Kind::Files:
      return "files=-f";
    case Value::Kind::Folders:
      return "files=-d";
    default:
      return ":";
  }
}

void print_bash(std::ostream& out) {
  std::vector<std::string> names = {"--help", "--version"};
  for (const CommandInfo& command : commands()) names.emplace_back(command.name);
  out << "# Completion of weft in bash, made by: weft completion bash\n"
         "_weft() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words='' files='' value=''\n"
         "  if [ \"$current\" = = ]; then current=''; elif [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD - "
         "2]}; fi\n"
         "  if [ \"$COMP_CWORD\" = 1 ]; then\n";
  out << fmt::format("    words='{}'\n  else\n    case ${{COMP_WORDS[1]}} in\n", fmt::join(names, " "));
  for (const CommandInfo& command : commands()) {
    out << fmt::format("      {})\n        case $before in\n", command.name);
    std::vector<std::string> all;
    for (const Option& option : options_of(command)) {
      all.push_back(option.name);
      if (option.value.kind != Value::Kind::None)
        out << fmt::format("          {}) value=1 && {} ;;\n", option.name, bash_action(option.value));
    }
    out << "        esac\n"
           "        if [ -z \"$value\" ]; then\n"
           "          case $current in\n";
    out << fmt::format("            -*) words='{}' ;;\n            *) {} ;;\n", fmt::join(all, " "),
                       bash_action(loose_value(command)));
    out << "          esac\n        fi\n        ;;\n";
  }
  out << "    esac\n  fi\n"
         "  if [ -n \"$files\" ]; then\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    mapfile -t COMPREPLY < <(compgen \"$files\" -- \"$current\")\n"
         "  else\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "  fi\n"
         "}\n"
         "complete -F _weft weft\n";
}

/// Escapes text within '...' for zsh's _arguments, where [ ] and : are special.
std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') result += "'\\''";
    if (c == '\'') continue;
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_action(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Words:
      return fmt::format("({})", fmt::join(value.words, " "));
    case Value::Kind::Files:
      return "_files";
    case Value::Kind::Folders:
      return "_files -/";
    default:
      return " ";
  }
}

void print_zsh(std::ostream& out) {
  out << "#compdef weft\n# Completion of weft in zsh, made by: weft completion zsh\n"
         "_weft() {\n  local -a commands\n  commands=(\n";
  for (const CommandInfo& command : commands())
    out << fmt::format("    '{}:{}'\n", command.name, zsh_text(command.help));
  out << "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
         "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const CommandInfo& command : commands()) {
    out << fmt::format("    {})\n      _arguments", command.name);
    for (const Option& option : options_of(command)) {
      const bool valueless = option.value.kind == Value::Kind::None;
      const char* equals = !valueless && option.name.starts_with("--") ? "=" : "";
      out << fmt::format(" \\\n        '{}{}[{}]{}'", option.name, equals, zsh_text(option.help),
                         valueless ? "" : fmt::format(":{}:{}", zsh_text(option.shape), zsh_action(option.value)));
    }
    if (const Value loose = loose_value(command); loose.kind != Value::Kind::None)
      out << fmt::format(" \\\n        '*:{}:{}'", command.words.front(), zsh_action(loose));
    out << "\n      ;;\n";
  }
  out << "  esac\n}\n_weft \"$@\"\n";
}

}  // namespace

void print_completion(const std::string& shell, std::ostream& out) {
  if (shell == "bash") return print_bash(out);
  if (shell == "zsh") return print_zsh(out);
  throw Refusal("weft completion", shell.empty() ? "no shell" : "no completion for " + shell,
                "write weft completion bash, or zsh");
}

}  // namespace weft::config
