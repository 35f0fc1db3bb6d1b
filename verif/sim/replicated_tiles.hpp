/// A TileGrid of replicas of one kind of Verilated PE.
///
/// For verif/sim/tiles.cpp.in only: WEFT_CLOCKED(Pe's model) must precede the include.
#pragma once

#include <algorithm>

#include "Vweft_router.h"
#include "Vweft_router___024root.h"
#include "isa_machine.hpp"
#include "verif/sim/clock_edge.hpp"
#include "verif/sim/port_bits.hpp"
#include "verif/sim/read_view.hpp"
#include "verif/sim/sram_word.hpp"
#include "verif/sim/thread_team.hpp"
#include "verif/sim/tile_grid.hpp"
#include "verif/sim/tile_hang.hpp"
#include "verif/sim/tile_state.hpp"
#include "verif/sim/wake_set.hpp"

WEFT_CLOCKED(Vweft_router)

namespace weft::sim {

/// All outputs of a router and of a PE are registers or depend only on their own registers, so modules can be clocked
/// one by one, in any order, and exchange() carries messages and credits to the inputs of other modules between two
/// edges. A module that would do nothing at an edge is skipped (README.md), so a busy PE does not pay for its idle
/// router, nor the reverse.
///
/// A band is a group of whole rows, and each band may have a thread. During a cycle a band touches nothing of another
/// band: messages across the border are queued, and delivered when all bands are done. No bit, cycle or record depends
/// on the number of bands.
///
/// `Pe` and `PeRoot` are the classes that Verilator generated from rtl/pe/weft_pe.sv, with the lanes of the shape.
template <class Pe, class PeRoot, int Lanes>
class ReplicatedTiles final : public TileGrid {
 public:
  ReplicatedTiles(VerilatedContext& context, const machine::WaferShape& shape, int threads);

  void reset() override;
  void cycle() override;
  const WestLink& west_out(int row) const override { return west_out_[static_cast<std::size_t>(row)]; }
  void west_in(int row, const WestLink& link) override;

  bool awake() const override {
    return std::ranges::any_of(bands_, [](const Band& b) { return b.stirred || b.routers.any() || b.pes.any(); });
  }
  std::uint64_t link_messages() const override;
  std::uint64_t helped() const override { return team_.helped(); }
  WaferCounters work() const override;

  std::vector<std::uint16_t> sram(int row, int col, int elements) const override;
  std::uint8_t flags(int row, int col) const override;
  machine::TileState state(int row, int col) const override;
  machine::TileHang hang_snapshot(int row, int col) const override {
    machine::TileHang s = tile_hang_state<kColors>(*at(row, col).pe, *at(row, col).router);
    s.state = state(row, col);
    return s;
  }
  std::vector<std::uint32_t> executed(int row, int col) const override { return at(row, col).executed; }
  StallRecord stall_record(int row, int col) override;
  void log_stalls(StallLog* log) override;
  void fetch_states() override;
  std::uint64_t debug(int row, int col) const override { return at(row, col).pe->dbg_o; }
  void lose_credit(int row, int col, int port, int color) override;
  std::string running(int row, int col) const override;
  void set_state(int row, int col, const machine::TileState& state) override;
  void watch(int row, int col) override { watched_.push_back(static_cast<std::uint32_t>(row * cols_ + col)); }
  void watch_none() override { watched_.clear(); }
  TileView view(int row, int col) override;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr unsigned kColors = kBuiltColors;
  static constexpr unsigned kWest = 3, kRamp = 4;  // ports; 0 to 3 are N E S W

  struct Tile {
    std::unique_ptr<Vweft_router> router_model;
    std::unique_ptr<Pe> pe_model;
    Vweft_router___024root* router;
    PeRoot* pe;
    std::array<std::uint32_t, 4> neighbour;  // by port, N E S W; kNone at the edges
    std::uint32_t band = 0;
    std::vector<std::uint32_t> executed = {};
    std::uint64_t clocked = 0;  // the last edge at which the PE was clocked
    StallTimes times = {};
  };

  /// A message or credits for a router of another band.
  struct Crossing {
    std::uint32_t tile;
    unsigned port;
    bool valid;
    std::uint64_t msg;
    unsigned credit;
  };

  /// Tiles first .. end-1 and all state that changes with them in a cycle.
  struct alignas(64) Band {
    Band(std::uint32_t begin, std::uint32_t to)
        : first(begin), end(to), routers(begin, to - begin), pes(begin, to - begin) {}
    bool has(std::uint32_t tile) const { return tile - first < end - first; }

    std::uint32_t first, end;
    WakeSet routers, pes;                  // to be clocked at the next edge
    bool stirred = true;                   // some state must still return to rest
    std::vector<std::uint32_t> west_sent;  // rows whose west_out_ is not empty
    std::uint64_t link_messages = 0;
    std::vector<Crossing> crossings;
    StallLog stalls;
  };

#ifdef WEFT_STALLS
  static constexpr bool kCountsStalls = true;
#else
  static constexpr bool kCountsStalls = false;
#endif

  /// Runs a cycle of a band's tiles, in any thread.
  void cycle_of(Band& band);
  void clock(Band& band);
  void exchange(Band& band);
  /// An edge of a PE. Its counters account for all edges since the PE's last one.
  void clock_pe(Band& band, std::uint32_t index);
  void hand_over_stalls();
  StallRecord record(std::uint32_t index);

  /// Called after an edge: counts the instructions that threads decode, each for one cycle.
  static void count(Tile& tile);

  Tile make_tile(VerilatedContext& context, int row, int col) const;
  void wake_all();
  void from_pe(Band& band, std::uint32_t tile);
  void from_router(Band& band, std::uint32_t tile);
  /// Delivers a message, if `valid`, and credits to input port `port` of a router of `band`.
  void to_router(Band& band, std::uint32_t tile, unsigned port, bool valid, std::uint64_t msg, unsigned credit);
  void add_credit(Band& band, std::uint32_t tile, unsigned port, unsigned credit);
  Band& band_of(std::uint32_t tile) { return bands_[tiles_[tile].band]; }
  const Tile& at(int row, int col) const { return tiles_[static_cast<std::size_t>(row * cols_ + col)]; }

  /// Rows of all groups, and of one.
  int rows_, group_rows_;
  int cols_, sram_kib_;
  std::vector<Tile> tiles_;             // [row * cols + col]
  std::vector<Band> bands_;             // from north to south
  std::vector<std::uint32_t> watched_;  // clocked in every cycle
  std::vector<WestLink> west_out_;      // [row]
  std::uint64_t edges_ = 0;             // since reset
  StallLog* stalls_ = nullptr;
  ThreadTeam team_;  // last member: its threads end before what they use
};

template <class Pe, class PeRoot, int Lanes>
ReplicatedTiles<Pe, PeRoot, Lanes>::ReplicatedTiles(VerilatedContext& context, const machine::WaferShape& shape,
                                                    int threads)
    : rows_(shape.all_rows()),
      group_rows_(shape.rows),
      cols_(shape.cols),
      sram_kib_(shape.sram_kib),
      west_out_(static_cast<std::size_t>(shape.all_rows())),
      team_(std::clamp(threads, 1, shape.all_rows()),
            [this](int part) { cycle_of(bands_[static_cast<std::size_t>(part)]); }) {
  for (int row = 0; row < rows_; ++row)
    for (int col = 0; col < cols_; ++col) tiles_.push_back(make_tile(context, row, col));
  const int bands = std::clamp(threads, 1, rows_);
  for (int b = 0; b < bands; ++b) {
    const auto begin = [&](int band) { return static_cast<std::uint32_t>(rows_ * band / bands * cols_); };
    bands_.emplace_back(begin(b), begin(b + 1));
    for (std::uint32_t tile = begin(b); tile < begin(b + 1); ++tile) tiles_[tile].band = static_cast<std::uint32_t>(b);
  }
  wake_all();
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::wake_all() {
  for (Band& band : bands_) {
    band.stirred = true;
    for (std::uint32_t tile = band.first; tile < band.end; ++tile) {
      band.routers.wake(tile);
      band.pes.wake(tile);
    }
  }
}

template <class Pe, class PeRoot, int Lanes>
auto ReplicatedTiles<Pe, PeRoot, Lanes>::make_tile(VerilatedContext& context, int row, int col) const -> Tile {
  const std::string place = std::to_string(row) + "_" + std::to_string(col);
  const int first = row / group_rows_ * group_rows_;  // row of the group: nothing leads to the next group
  const auto index = [&](int r, int c) {
    return r >= first && r < first + group_rows_ && c >= 0 && c < cols_ ? static_cast<std::uint32_t>(r * cols_ + c)
                                                                        : kNone;
  };
  Tile tile{std::make_unique<Vweft_router>(&context, ("router_" + place).c_str()),
            std::make_unique<Pe>(&context, ("pe_" + place).c_str()),
            nullptr,
            nullptr,
            {}};
  tile.router = tile.router_model->rootp;
  tile.pe = tile.pe_model->rootp;
#ifdef WEFT_COUNT_INSTRUCTIONS
  tile.executed.resize(2 * isa::kIDepth);
#endif
  tile.neighbour = {index(row - 1, col), index(row, col + 1), index(row + 1, col), index(row, col - 1)};
  for (unsigned port : {0u, 1u, 2u})
    if (tile.neighbour[port] == kNone) tile.router->edge_i |= static_cast<CData>(1u << port);
  tile.pe->row_i = static_cast<SData>(row - first);
  tile.pe->rows_i = static_cast<SData>(group_rows_);
  tile.pe->col_i = static_cast<SData>(col);
  tile.pe->east_i = static_cast<SData>(cols_ - 1 - col);
  tile.pe->sram_kib_i = static_cast<CData>(sram_kib_);
  first_edge_in_reset(*tile.router_model);
  first_edge_in_reset(*tile.pe_model);
  return tile;
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::reset() {
  for (Tile& tile : tiles_) {
    Vweft_router___024root& router = *tile.router;
    router.valid_i = router.route_we_i = 0;
    clear_bits(router.credit_i);
    edge_in_reset(*tile.router_model, router);
    PeRoot& pe = *tile.pe;
    pe.valid_i = pe.credit_i = pe.no_route_i = pe.bad_color_i = pe.bad_route_i = 0;
    edge_in_reset(*tile.pe_model, pe);
    tile.clocked = 0;
    tile.times = {};
  }
  for (Band& band : bands_) band.link_messages = 0;
  edges_ = 0;
  wake_all();
}

}  // namespace weft::sim

#include "verif/sim/replicated_debug.hpp"
#include "verif/sim/replicated_step.hpp"
