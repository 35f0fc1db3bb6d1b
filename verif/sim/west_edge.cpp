#include "verif/sim/west_edge.hpp"

#include <algorithm>
#include <string>

#include "Vweft_edge_cell.h"
#include "Vweft_edge_cell___024root.h"
#include "Vweft_valve.h"
#include "Vweft_valve___024root.h"
#include "isa_machine.hpp"
#include "verif/sim/clock_edge.hpp"
#include "verif/sim/intake.hpp"
#include "verif/sim/tile_hang.hpp"

WEFT_CLOCKED(Vweft_edge_cell)
WEFT_CLOCKED(Vweft_valve)

namespace weft::sim {
struct WestEdge::Valve {
  std::unique_ptr<Vweft_valve> model;
  std::size_t first_cell;
  bool awake = true;
};

struct WestEdge::Cell {
  std::unique_ptr<Vweft_edge_cell> model;
  Vweft_valve* valve;  // valve that feeds this cell; nullptr: fed by the cell to the north
  std::size_t valve_index;
  bool awake = true;
};

WestEdge::WestEdge(VerilatedContext& context, const machine::WaferShape& shape) {
  const Intake intake(shape);  // maps valves to rows
  for (int n = 0; n < shape.valves * shape.row_groups; ++n) {
    const int v = n % shape.valves, north = n / shape.valves * shape.rows;  // valve and first row of the group
    Valve valve{std::make_unique<Vweft_valve>(&context, ("valve_" + std::to_string(n)).c_str()),
                static_cast<std::size_t>(north + intake.first_row(v))};
    first_edge_in_reset(*valve.model);
    for (int row = intake.first_row(v); row < intake.first_row(v + 1); ++row) {
      Cell cell{std::make_unique<Vweft_edge_cell>(&context, ("edge_cell_" + std::to_string(north + row)).c_str()),
                row == intake.first_row(v) ? valve.model.get() : nullptr, static_cast<std::size_t>(n)};
      cell.model->row_i = static_cast<SData>(row);
      cell.model->row_shift_i = static_cast<CData>(shape.row_shift());
      cell.model->last_i = row + 1 == intake.first_row(v + 1);
      cell.model->host_ready_i = 1;
      first_edge_in_reset(*cell.model);
      cells_.push_back(std::move(cell));
    }
    valves_.push_back(std::move(valve));
  }
}

WestEdge::~WestEdge() = default;

void WestEdge::reset() {
  for (Valve& valve : valves_) {
    auto& root = *valve.model->rootp;
    root.valid_i = root.credit_i = 0;
    edge_in_reset(*valve.model, root);
    valve.awake = true;
  }
  for (Cell& cell : cells_) {
    auto& root = *cell.model->rootp;
    root.chain_valid_i = root.chain_credit_i = root.tile_valid_i = root.tile_credit_i = 0;
    root.host_ready_i = 1;
    edge_in_reset(*cell.model, root);
    cell.awake = true;
  }
  offers_.clear();
}

void WestEdge::listen(int row, bool taken) { cells_[static_cast<std::size_t>(row)].model->rootp->host_ready_i = taken; }

bool WestEdge::ready(int valve) const { return valves_[static_cast<std::size_t>(valve)].model->rootp->ready_o != 0; }

void WestEdge::offer(int valve, std::uint64_t msg) {
  Valve& v = valves_[static_cast<std::size_t>(valve)];
  auto& root = *v.model->rootp;
  root.valid_i = 1;
  root.ctrl_i = msg >> 37 & 1;
  root.data_i = static_cast<IData>(msg);
  v.awake = true;
}

void WestEdge::clock() {
  for (Valve& valve : valves_) {
    if (!valve.awake) continue;
    auto& root = *valve.model->rootp;
    clock_edge(*valve.model, root);
    root.valid_i = root.credit_i = 0;
    valve.awake = root.awake_o != 0;
  }
  offers_.clear();
  for (std::size_t row = 0; row < cells_.size(); ++row) {
    Cell& cell = cells_[row];
    if (!cell.awake) continue;
    auto& root = *cell.model->rootp;
    clock_edge(*cell.model, root);
    root.chain_valid_i = root.chain_credit_i = root.tile_valid_i = root.tile_credit_i = 0;
    cell.awake = root.awake_o != 0;
    if (root.host_valid_o) offers_.push_back({static_cast<int>(row), static_cast<std::uint32_t>(root.host_msg_o)});
  }
}

void WestEdge::exchange(TileGrid& tiles) {
  for (Valve& valve : valves_) {
    if (!valve.awake) continue;  // a valve with a message is always awake
    const auto& out = *valve.model->rootp;
    Cell& cell = cells_[valve.first_cell];
    auto& in = *cell.model->rootp;
    in.chain_valid_i = out.valid_o;
    in.chain_msg_i = out.msg_o;
    cell.awake |= out.valid_o != 0;
  }
  for (std::size_t row = 0; row < cells_.size(); ++row) {
    Cell& cell = cells_[row];
    auto& self = *cell.model->rootp;
    if (self.awake_o) send(row, tiles);
    const WestLink& tile = tiles.west_out(static_cast<int>(row));
    if (tile.valid || tile.credit != 0) {
      self.tile_valid_i = tile.valid;
      self.tile_msg_i = tile.msg;
      self.tile_credit_i = tile.credit;
      cell.awake = true;
    }
  }
}

void WestEdge::send(std::size_t row, TileGrid& tiles) {
  Cell& cell = cells_[row];
  const auto& out = *cell.model->rootp;
  if (out.tile_valid_o || out.tile_credit_o != 0)
    tiles.west_in(static_cast<int>(row), {out.tile_valid_o != 0, out.tile_msg_o, out.tile_credit_o});
  if (out.chain_credit_o) {
    if (cell.valve != nullptr) {
      cell.valve->rootp->credit_i = 1;
      valves_[cell.valve_index].awake = true;
    } else {
      cells_[row - 1].model->rootp->chain_credit_i = 1;
      cells_[row - 1].awake = true;
    }
  }
  if (out.chain_valid_o) {
    auto& in = *cells_[row + 1].model->rootp;
    in.chain_valid_i = 1;
    in.chain_msg_i = out.chain_msg_o;
    cells_[row + 1].awake = true;
  }
}

bool WestEdge::awake() const {
  const auto awake = [](const auto& part) { return part.awake; };
  return std::any_of(valves_.begin(), valves_.end(), awake) || std::any_of(cells_.begin(), cells_.end(), awake);
}

std::uint8_t WestEdge::flags(int row) const {
  const auto& cell = *cells_[static_cast<std::size_t>(row)].model->rootp;
  unsigned bits = 0;
  if (cell.no_row_o) bits |= 1u << static_cast<unsigned>(isa::Flag::NoRow);
  if (cell.bad_color_o) bits |= 1u << static_cast<unsigned>(isa::Flag::BadColor);
  return static_cast<std::uint8_t>(bits);
}

machine::RowHang WestEdge::hang_snapshot(int row) const {
  const auto& cell = *cells_[static_cast<std::size_t>(row)].model->rootp;
  machine::RowHang s;
#define WEFT_AT(part, name) cell.weft_edge_cell__DOT__i_##part##__DOT__i_buffer__DOT__i_buffers__DOT__##name
  for (unsigned color = 0; color < static_cast<unsigned>(kBuiltColors); ++color)
    s.outlet.push_back(rtl::in_queue(WEFT_AT(outlet, wptr_q), WEFT_AT(outlet, rptr_q), WEFT_AT(outlet, nonempty_q),
                                     static_cast<unsigned>(kBuiltColors), color));
  s.cell = rtl::in_queue(WEFT_AT(intake, wptr_q), WEFT_AT(intake, rptr_q), WEFT_AT(intake, nonempty_q), 1, 0);
  s.front = rtl::fronts(WEFT_AT(intake, gen_link__BRA__0__KET____DOT__ram_q), WEFT_AT(intake, rptr_q), s.cell);
#undef WEFT_AT
  s.served = cell.weft_edge_cell__DOT__i_intake__DOT__served_q;
  s.cell_credits = rtl::credits_of<2>(cell.weft_edge_cell__DOT__i_intake__DOT__i_credits__DOT__count_q, 2, 0);
  return s;
}

machine::Credits WestEdge::credits(int valve) const {
  return rtl::credits_of<1>(
      valves_[static_cast<std::size_t>(valve)].model->rootp->weft_valve__DOT__i_credits__DOT__count_q, 1, 0);
}

}  // namespace weft::sim
