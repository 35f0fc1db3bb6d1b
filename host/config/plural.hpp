/// "1 step", "2 steps", "2 micro-batches", "2 passes".
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace weft::config {

/// `unit` in the singular.
inline std::string plural(std::uint64_t number, std::string_view unit) {
  const bool sibilant = unit.ends_with("ch") || unit.ends_with("ss");
  return fmt::format("{} {}{}", number, unit, number == 1 ? "" : sibilant ? "es" : "s");
}

/// "20 bytes", "4.2 MB", "3.5 TB".
inline std::string format_bytes(double bytes) {
  constexpr std::string_view kUnits[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(kUnits); bytes /= 1000) ++unit;
  return fmt::format("{:.4g} {}", bytes, kUnits[unit]);
}

}  // namespace weft::config
