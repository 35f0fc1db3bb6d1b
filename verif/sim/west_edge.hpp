/// The wafer's west edge: intake valves, and for each row an edge cell, Verilated and stamped like the tiles.
#pragma once

#include <verilated.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "verif/sim/tile_grid.hpp"
#include "verif/wafer.hpp"

namespace weft {

class WestEdge {
 public:
  /// `context` must outlive the edge.
  WestEdge(VerilatedContext& context, const WaferShape& shape);
  ~WestEdge();
  WestEdge(const WestEdge&) = delete;
  WestEdge& operator=(const WestEdge&) = delete;

  struct Word {
    int row;
    std::uint32_t data;
  };

  /// The valve takes a message at the next edge, if it is offered one.
  bool ready(int valve) const;
  /// Holds a 38-bit message before the valve at the next edge only.
  void offer(int valve, std::uint64_t msg);
  /// What the outlets hold out to the host.
  const std::vector<Word>& offers() const { return offers_; }
  /// What row r's outlet offers is taken at the next edge, or not; so it goes on until the next call.
  void listen(int row, bool taken);

  /// One clock edge of everything, with the reset set.
  void reset();
  /// One clock edge of everything that is not asleep.
  void clock();
  /// Carries messages between valves, cells and the tiles of column 0, after the tiles' own exchange.
  void exchange(TileGrid& tiles);

  bool awake() const;
  std::uint8_t flags(int row) const;
  /// All but what the host knows.
  RowStandstill standstill(int row) const;
  /// Of valve v's link to the first cell.
  Credits credits(int valve) const;

 private:
  struct Valve;
  struct Cell;

  void send(std::size_t row, TileGrid& tiles);

  std::vector<Valve> valves_;
  std::vector<Cell> cells_;  // [row]
  std::vector<Word> offers_;
};

}  // namespace weft
