/// The commands of `weft`, and the flags that belong to one of them alone.
#pragma once

#include <string_view>
#include <vector>

namespace weft {

struct CommandFlag {
  std::string_view name;
  std::string_view value;  ///< what it looks like; empty: it has none
  std::string_view help;
};

struct CommandInfo {
  std::string_view name, help;
  bool looks = false;  ///< the program weft-look runs it
  std::vector<CommandFlag> flags = {};
  bool config = true;                        ///< it needs --params
  bool keys = true;                          ///< it takes keys of a parameter file, and the flags that are keys
  std::vector<std::string_view> words = {};  ///< the flags to which words belong that follow none, one after the other
};

const std::vector<CommandInfo>& commands();
/// Null if there is none of this name.
const CommandInfo* find_command(std::string_view name);

}  // namespace weft
