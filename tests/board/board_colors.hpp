/// Restricts a hang snapshot to the colors that both a board and a simulated wafer build; a simulated wafer builds one
/// more.
#pragma once

#include "isa_machine.hpp"
#include "sw/machine/hang.hpp"

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
