/// Names of places and colors for messages.
#pragma once

#include <string>

#include "isa_machine.hpp"

namespace weft::model {

/// `RING`, `color 7`
inline std::string color_name(int color) {
  const auto c = static_cast<std::size_t>(color);
  return c < std::size(isa::kColorNames) ? std::string(isa::kColorNames[c]) : "color " + std::to_string(color);
}

inline std::string tile_name(int row, int col) {
  return "row " + std::to_string(row) + " column " + std::to_string(col);
}

}  // namespace weft::model
