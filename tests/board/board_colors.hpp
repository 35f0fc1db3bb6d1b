/// Restricts a hang snapshot to the colors that both a board and a simulated wafer build; a simulated wafer builds one
/// more.
#pragma once

#include "isa_machine.hpp"
#include "sw/machine/hang.hpp"

namespace weft::board {

inline machine::HangSnapshot of_board_colors(machine::HangSnapshot s) {
  const auto cut = [](auto& colors) {
    if (colors.size() > isa::kColors) colors.resize(isa::kColors);
  };
  for (machine::TileHang& t : s.tiles) {
    cut(t.ramp), cut(t.out_credits);
    for (auto& port : t.buffers) cut(port);
    for (auto& port : t.credits) cut(port);
    for (auto& port : t.state.routes) cut(port);
  }
  for (machine::RowHang& row : s.rows) cut(row.outlet);
  return s;
}

}  // namespace weft::board
