/// Flags that stand for keys of a parameter file, valid for all commands that take keys.
#pragma once

#include <span>
#include <string_view>

namespace weft::config {

/// Pseudo-key of --cs_ip, which sets several keys (cs_ip.hpp).
inline constexpr std::string_view kBoardAddress = "cs_ip";

struct Flag {
  std::string_view name;
  std::string_view key;    ///< empty for --params
  std::string_view value;  ///< placeholder of the value; empty: takes none, and the name is the key's value
  std::string_view help;
  char letter = 0;         ///< short form, like -p for --params
  bool run_alone = false;  ///< listed only in the help of `weft run`; other commands accept it as well
};
std::span<const Flag> key_flags();

}  // namespace weft::config
