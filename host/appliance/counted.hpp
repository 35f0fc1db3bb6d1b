/// "1 step", "2 steps", "2 micro-batches".
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

/// `unit` in the singular.
inline std::string counted(std::uint64_t number, std::string_view unit) {
  return fmt::format("{} {}{}", number, unit, number == 1 ? "" : unit.ends_with("ch") ? "es" : "s");
}

}  // namespace weft
