/// `rows x cols` tiles and the links between them: copies of one Verilated router and one Verilated PE.
#pragma once

#include <verilated.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "verif/sim/wake_set.hpp"
#include "verif/wafer.hpp"

class Vpe;
class Vpe___024root;
class Vrouter;
class Vrouter___024root;

namespace weft {

/// What a tile of column 0 exchanges with the cell to its west in one cycle.
struct WestLink {
  bool valid = false;
  std::uint64_t msg = 0;
  std::uint8_t credit = 0;  // a bit per color
};

/// All outputs of a router and of a PE are registers or follow from their own registers, so they are clocked one by one,
/// in any order, and exchange() carries what they send to each other's inputs between two edges. Whoever would not do
/// anything at an edge is left out of it (README.md), so a busy PE does not pay for its idle router, nor the reverse.
class TileGrid {
 public:
  /// Tiles in reset; `context` must outlive the grid.
  TileGrid(VerilatedContext& context, const WaferShape& shape);
  ~TileGrid();
  TileGrid(const TileGrid&) = delete;
  TileGrid& operator=(const TileGrid&) = delete;

  /// One clock edge of everything that is not asleep.
  void clock();
  /// Carries messages and credits to the neighbours. What leaves column 0 to the west is left in `west_out`.
  void exchange();
  /// After exchange(): what tile (row, 0) sent to the west at the last edge.
  const WestLink& west_out(int row) const { return west_out_[static_cast<std::size_t>(row)]; }
  /// After exchange(): what the cell west of (row, 0) sends to it.
  void west_in(int row, const WestLink& link);

  /// A clock edge may change something.
  bool awake() const { return stirred_ || routers_.any() || pes_.any(); }
  std::uint64_t link_messages() const { return link_messages_; }
  WaferCounters work() const;

  std::vector<std::uint16_t> sram(int row, int col, int elements) const;
  std::uint8_t flags(int row, int col) const;
  std::uint64_t debug(int row, int col) const;  ///< dbg_t of rtl/pe/pe_pkg.sv, while the PE is asleep
  /// Where the threads of a PE are that is awake, in words; nothing of one that sleeps.
  std::string running(int row, int col) const;

 private:
  struct Tile {
    std::unique_ptr<Vrouter> router_model;
    std::unique_ptr<Vpe> pe_model;
    Vrouter___024root* router;
    Vpe___024root* pe;
    std::array<std::uint32_t, 4> neighbour;  // by port, N E S W; kNone at the west and east edge
  };

  Tile make_tile(VerilatedContext& context, int row, int col) const;
  void from_pe(std::uint32_t tile);
  void from_router(std::uint32_t tile);
  /// A message, if `valid`, and credits for input port `port` of a router.
  void to_router(std::uint32_t tile, unsigned port, bool valid, std::uint64_t msg, unsigned credit);
  void add_credit(std::uint32_t tile, unsigned credits);
  const Tile& at(int row, int col) const { return tiles_[static_cast<std::size_t>(row * cols_ + col)]; }

  int rows_, cols_;
  std::vector<Tile> tiles_;               // [row * cols + col]
  WakeSet routers_, pes_;                 // to be clocked at the next edge
  bool stirred_ = true;                   // some state has still to fall back to rest
  std::vector<WestLink> west_out_;        // [row]
  std::vector<std::uint32_t> west_sent_;  // rows whose west_out_ is not empty
  std::uint64_t link_messages_ = 0;
};

}  // namespace weft
