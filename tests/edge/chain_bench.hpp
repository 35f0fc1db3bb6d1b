/// A valve and a chain of edge cells, one per row, with a model of a tile and of a host at each.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "Vweft_edge_cell.h"
#include "Vweft_valve.h"
#include "tests/clock.hpp"
#include "tests/fabric/link_model.hpp"

namespace weft::test {

class ChainBench {
 public:
  /// Cells for rows `first_row`..`first_row + rows - 1`.
  ChainBench(std::uint64_t seed, unsigned rows, unsigned row_shift, unsigned first_row = 0) : rng(seed) {
    for (unsigned r = 0; r < rows; ++r) {
      cells.push_back(std::make_unique<Vweft_edge_cell>(&context));
      Vweft_edge_cell& cell = *cells.back();
      cell.row_i = static_cast<CData>(first_row + r);
      cell.row_shift_i = static_cast<CData>(row_shift);
      cell.last_i = r + 1 == rows;
      cell.rst_i = 1;
    }
    from_cell.resize(rows);
    to_cell.resize(rows);
    valve.rst_i = 1;
    valve.valid_i = 0;
    clock_all();
    valve.rst_i = 0;
    for (auto& cell : cells) cell->rst_i = 0;
  }
  ~ChainBench() { Verilated::threadContextp(&context); }

  /// Queues the host's next message.
  void send(bool ctrl, std::uint32_t data) { input.push_back(pack(ctrl, 0, data)); }

  void step() {
    const std::size_t rows = cells.size();
    drive();
    const bool accepted = valve.valid_i && valve.ready_o;
    struct Shown {
      bool tile_valid, host_valid;
      std::uint64_t tile_msg, host_msg;
      unsigned credit;
    };
    std::vector<Shown> shown;
    for (auto& c : cells) {
      shown.push_back(
          {c->tile_valid_o != 0, c->host_valid_o && c->host_ready_i, c->tile_msg_o, c->host_msg_o, c->tile_credit_o});
    }
    clock_all();
    if (accepted) input.pop_front();
    for (std::size_t r = 0; r < rows; ++r) {
      from_cell[r].tick(shown[r].tile_valid, shown[r].tile_msg, rng, take_percent, [&](std::uint64_t m) {
        if (at_tile) at_tile(r, m);
      });
      to_cell[r].tick(shown[r].credit, rng, send_percent);
      if (shown[r].host_valid && at_host) at_host(r, shown[r].host_msg);
    }
    ++cycle;
  }

  VerilatedContext context;
  Vweft_valve valve{&context};
  std::vector<std::unique_ptr<Vweft_edge_cell>> cells;
  Rng rng;
  std::deque<std::uint64_t> input;
  std::vector<LinkReceiver> from_cell;  // the tiles' ends
  std::vector<LinkSender> to_cell;
  unsigned offer_percent = 100, take_percent = 100, send_percent = 100, ready_percent = 100;
  std::function<void(std::size_t row, std::uint64_t msg)> at_tile, at_host;
  std::uint64_t cycle = 0;
  /// Leaves out the clock edges that sleeping cells and the sleeping valve do not need.
  bool skip_idle = false;
  unsigned skipped = 0;

 private:
  void drive() {
    const std::size_t rows = cells.size();
    valve.valid_i = !input.empty() && rng.chance(offer_percent);
    if (valve.valid_i) {
      valve.ctrl_i = ctrl_of(input.front());
      valve.data_i = data_of(input.front());
    }
    for (std::size_t r = 0; r < rows; ++r) {
      Vweft_edge_cell& c = *cells[r];
      c.chain_valid_i = r ? cells[r - 1]->chain_valid_o : valve.valid_o;
      c.chain_msg_i = r ? cells[r - 1]->chain_msg_o : valve.msg_o;
      (r ? cells[r - 1]->chain_credit_i : valve.credit_i) = c.chain_credit_o;
      c.tile_credit_i = static_cast<decltype(c.tile_credit_i + 0)>(from_cell[r].credit);
      c.tile_valid_i = to_cell[r].valid;
      c.tile_msg_i = to_cell[r].msg;
      c.host_ready_i = rng.chance(ready_percent);
    }
    cells.back()->chain_credit_i = 0;
  }

  void clock_all() {
    if (skip_idle && !valve.awake_o && !valve.valid_i && !valve.credit_i) {
      ++skipped;
    } else {
      clock(valve);
    }
    for (auto& c : cells) {
      if (skip_idle && !c->awake_o && !c->chain_valid_i && !c->chain_credit_i && !c->tile_valid_i &&
          !c->tile_credit_i) {
        ++skipped;
      } else {
        clock(*c);
      }
    }
  }
};

}  // namespace weft::test
