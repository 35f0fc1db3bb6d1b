#include "host/config/command_line/arguments.hpp"

#include "host/config/command_line/arguments_errors.hpp"
#include "host/config/command_line/command_line.hpp"
#include "host/config/command_line/cs_ip.hpp"
#include "host/config/keys/path_keys.hpp"

namespace weft::config {
namespace {

/// Adds an override for each key of a flag, such as "runconfig.seed train_input.seed".
void add_overrides(std::string_view keys, const std::string& value, std::vector<Override>& overrides) {
  for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
    end = keys.find(' ', at);
    overrides.push_back({std::string(keys.substr(at, end - at)), value});
  }
}

/// Value of the parameter file, or of a flag of the command's own. Paths are expanded here because the shell may not
/// have done so.
std::string path_or_value(const Given& given, const std::string& value) {
  const bool is_path =
      given.own == nullptr || given.own->value == "FILE" || given.own->value == "DIR" || given.own->value == "PATH";
  if (!is_path || value.empty()) return value;
  try {
    return expanded_path(value);
  } catch (const Refusal& e) {
    throw e.within("--" + given.name).at("command line");
  }
}

}  // namespace

Arguments parse_arguments(const std::vector<std::string>& words) {
  const CommandLine line = read_command_line(words);
  Arguments result;
  result.help = words.empty() || line.help;
  result.version = line.version;
  if (line.command != nullptr) result.command = line.command->name;
  if (result.help || result.version) return result;
  if (line.command == nullptr) throw unknown_command(words.front());
  std::string board;  // value of --cs_ip
  for (const Given& given : line.given) {
    check_value(given);
    const std::string value = given.value.value_or("");
    if (given.own != nullptr) {
      result.options[given.name] = path_or_value(given, value);
    } else if (given.of_key == nullptr) {
      result.overrides.push_back({given.name, value});
    } else if (given.of_key->key.empty()) {
      result.params = path_or_value(given, value);
    } else if (given.of_key->key == kBoardAddress) {
      board = value.empty() ? throw no_address() : value;
    } else {
      add_overrides(given.of_key->key, given.value ? value : given.name, result.overrides);
    }
  }
  if (!line.rest.empty()) throw unknown_word(line.rest.front(), *line.command);
  if (result.params.empty() && line.command->config) throw no_params();
  if (!board.empty()) use_board_at(board, result.overrides);
  return result;
}

}  // namespace weft::config
