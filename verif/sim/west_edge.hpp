/// The wafer's west edge: valves, and for each row an edge cell, Verilated and replicated like the tiles.
#pragma once

#include <verilated.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "verif/sim/tile_grid.hpp"
#include "verif/wafer.hpp"

namespace weft::sim {

class WestEdge {
 public:
  /// `context` must outlive the edge.
  WestEdge(VerilatedContext& context, const machine::WaferShape& shape);
  ~WestEdge();
  WestEdge(const WestEdge&) = delete;
  WestEdge& operator=(const WestEdge&) = delete;

  struct Word {
    int row;
    std::uint32_t data;
  };

  // Valves and rows are numbered through all groups of rows.

  /// The valve takes a message at the next edge if one is offered.
  bool ready(int valve) const;
  /// Offers a 38-bit message to the valve at the next edge only.
  void offer(int valve, std::uint64_t msg);
  /// Messages offered by the outlets to the host.
  const std::vector<Word>& offers() const { return offers_; }
  /// Sets whether the host takes the message of row r's outlet at the next edge; stays in effect until the next call.
  void listen(int row, bool taken);

  /// Clocks all valves and cells once, in reset.
  void reset();
  /// Clocks all awake valves and cells once.
  void clock();
  /// Carries messages between valves, cells and the tiles of column 0, after the tiles' own exchange.
  void exchange(TileGrid& tiles);

  bool awake() const;
  std::uint8_t flags(int row) const;
  /// State of a row's cell, without the fields that the host fills in.
  machine::RowHang hang_snapshot(int row) const;
  /// Credits of valve v's link to the first cell.
  machine::Credits credits(int valve) const;

 private:
  struct Valve;
  struct Cell;

  void send(std::size_t row, TileGrid& tiles);

  std::vector<Valve> valves_;
  std::vector<Cell> cells_;  // [row]
  std::vector<Word> offers_;
};

}  // namespace weft::sim
