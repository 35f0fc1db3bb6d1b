/// Commands of `weft`, and the flags specific to each of them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::config {

struct CommandFlag {
  std::string_view name;
  std::string_view value;  ///< placeholder of the value; empty if there is none
  std::string_view help;
};

/// Use of a command, by which `weft --help` lists them.
enum class Use : std::uint8_t { Train, Look, Prepare, Boards, Shell };

struct CommandInfo {
  std::string_view name, help;
  std::string_view example;  ///< a line for a shell
  Use use;
  bool inspects = false;  ///< run by the program weft-inspect
  std::vector<CommandFlag> flags = {};
  bool config = true;                        ///< needs --params
  bool keys = true;                          ///< accepts keys of a parameter file, and the flags that stand for keys
  bool writes_config = false;                ///< writes a parameter file, so that --params has no effect
  std::vector<CommandFlag> run_flags = {};   ///< key_flags() of `weft run` alone that the help lists here as well
  std::vector<std::string_view> words = {};  ///< flags to which positional words are assigned, in this order
  std::string_view old_name = {};            ///< accepted as well
};

const std::vector<CommandInfo>& commands();
/// `name` may be an old name. Returns null if there is no such command.
const CommandInfo* find_command(std::string_view name);

}  // namespace weft::config
