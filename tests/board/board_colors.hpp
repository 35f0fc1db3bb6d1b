/// A simulated wafer builds a color more than a board: of what stands still, that which both have.
#pragma once

#include "isa.hpp"
#include "sw/machine/standstill.hpp"

namespace weft {

inline Standstill of_board_colors(Standstill s) {
  const auto cut = [](auto& colors) {
    if (colors.size() > isa::kColors) colors.resize(isa::kColors);
  };
  for (TileStandstill& t : s.tiles) {
    cut(t.ramp), cut(t.out_credits);
    for (auto& port : t.buffers) cut(port);
    for (auto& port : t.credits) cut(port);
    for (auto& port : t.state.routes) cut(port);
  }
  for (RowStandstill& row : s.rows) cut(row.outlet);
  return s;
}

}  // namespace weft
