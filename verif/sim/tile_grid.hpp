/// `rows x cols` copies of one Verilated tile, and the links between them.
#pragma once

#include <verilated.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "verif/wafer.hpp"

class Vtile;
class Vtile___024root;

namespace weft {

/// What a tile of column 0 exchanges with the cell to its west in one cycle.
struct WestLink {
  bool valid = false;
  std::uint64_t msg = 0;
  std::uint8_t credit = 0;  // a bit per color
};

/// All outputs of a tile are registers, so tiles are clocked one by one, in any order, and exchange() carries what they
/// send to their neighbours' inputs between two edges. A tile that said it is asleep and receives nothing is left out:
/// a clock edge would change nothing in it.
class TileGrid {
 public:
  /// Tiles in reset; `context` must outlive the grid.
  TileGrid(VerilatedContext& context, const WaferShape& shape);
  ~TileGrid();
  TileGrid(const TileGrid&) = delete;
  TileGrid& operator=(const TileGrid&) = delete;

  /// One clock edge of every tile that is not asleep.
  void clock();
  /// Carries messages and credits to the neighbours. What leaves column 0 to the west is left in `west_out`.
  void exchange();
  /// After exchange(): what tile (row, 0) sent to the west at the last edge.
  const WestLink& west_out(int row) const { return west_out_[static_cast<std::size_t>(row)]; }
  /// After exchange(): what the cell west of (row, 0) sends to it.
  void west_in(int row, const WestLink& link);

  /// A clock edge may change something.
  bool awake() const;
  std::uint64_t link_messages() const { return link_messages_; }
  WaferCounters work() const;

  std::vector<std::uint16_t> sram(int row, int col, int elements) const;
  std::uint8_t flags(int row, int col) const;
  std::uint64_t debug(int row, int col) const;  ///< dbg_t of rtl/pe/pe_pkg.sv

 private:
  struct Tile {
    std::unique_ptr<Vtile> model;
    Vtile___024root* root;
    std::array<std::uint32_t, 4> neighbour;  // N E S W; kNone at the west and east edge
  };

  void send(std::uint32_t from);
  void wake(std::uint32_t tile) { awake_[tile / 64] |= std::uint64_t{1} << tile % 64; }
  const Tile& at(int row, int col) const { return tiles_[static_cast<std::size_t>(row * cols_ + col)]; }

  int rows_, cols_;
  std::vector<Tile> tiles_;               // [row * cols + col]
  std::vector<std::uint64_t> awake_;      // a bit per tile: to be clocked at the next edge
  std::vector<std::uint32_t> clocked_;    // the tiles of the last edge
  std::vector<WestLink> west_out_;        // [row]
  std::vector<std::uint32_t> west_sent_;  // rows whose west_out_ is not empty
  std::uint64_t link_messages_ = 0;
};

}  // namespace weft
