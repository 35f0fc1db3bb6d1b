/// The flags that are keys of a parameter file, of all commands that take keys.
#pragma once

#include <span>
#include <string_view>

namespace weft {

/// The key of --cs_ip, which is more than one (cs_ip.hpp).
inline constexpr std::string_view kBoardAddress = "cs_ip";

struct Flag {
  std::string_view name;
  std::string_view key;    ///< empty: of --params
  std::string_view value;  ///< what it looks like; empty: it has none, and its name is the key's value
  std::string_view help;
  char letter = 0;  ///< -p is --params
};
std::span<const Flag> key_flags();

}  // namespace weft
