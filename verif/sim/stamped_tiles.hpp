/// TileGrid made of one kind of Verilated PE.
///
/// For verif/sim/tiles.cpp.in only: WEFT_CLOCKED(Pe's model) stands before the include.
#pragma once

#include "Vrouter.h"
#include "Vrouter__Syms.h"
#include "Vrouter___024root.h"
#include "isa.hpp"
#include "verif/sim/clock_edge.hpp"
#include "verif/sim/port_bits.hpp"
#include "verif/sim/read_view.hpp"
#include "verif/sim/sram_word.hpp"
#include "verif/sim/tile_grid.hpp"
#include "verif/sim/tile_standstill.hpp"
#include "verif/sim/tile_state.hpp"
#include "verif/sim/wake_set.hpp"

WEFT_CLOCKED(Vrouter)

namespace weft {

/// All outputs of a router and of a PE are registers or follow from their own registers, so they are clocked one by
/// one, in any order, and exchange() carries what they send to each other's inputs between two edges. Whoever would not
/// do anything at an edge is left out of it (README.md), so a busy PE does not pay for its idle router, nor the
/// reverse.
///
/// `Pe` and `PeRoot` are the classes Verilator made of rtl/pe/pe.sv, with as many lanes as the shape has.
template <class Pe, class PeRoot, int Lanes>
class StampedTiles final : public TileGrid {
 public:
  StampedTiles(VerilatedContext& context, const WaferShape& shape);

  void reset() override;
  void clock() override;
  void exchange() override;
  const WestLink& west_out(int row) const override { return west_out_[static_cast<std::size_t>(row)]; }
  void west_in(int row, const WestLink& link) override;

  bool awake() const override { return stirred_ || routers_.any() || pes_.any(); }
  std::uint64_t link_messages() const override { return link_messages_; }
  WaferCounters work() const override;

  std::vector<std::uint16_t> sram(int row, int col, int elements) const override;
  std::uint8_t flags(int row, int col) const override;
  TileState state(int row, int col) const override;
  TileStandstill standstill(int row, int col) const override {
    TileStandstill s = tile_standstill<kColors>(*at(row, col).pe, *at(row, col).router);
    s.state = state(row, col);
    return s;
  }
  std::vector<std::uint32_t> executed(int row, int col) const override { return at(row, col).executed; }
  TallyRecord tally(int row, int col) override;
  void log_tallies(TallyLog* log) override;
  void take_back() override;
  std::uint64_t debug(int row, int col) const override { return at(row, col).pe->dbg_o; }
  void lose_credit(int row, int col, int port, int color) override;
  std::string running(int row, int col) const override;
  void put(int row, int col, const TileState& state) override;
  void watch(int row, int col) override { watched_.push_back(static_cast<std::uint32_t>(row * cols_ + col)); }
  void watch_none() override { watched_.clear(); }
  TileView view(int row, int col) override;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr unsigned kColors = kBuiltColors;
  static constexpr unsigned kWest = 3, kRamp = 4;  // ports; 0 to 3 are N E S W

  struct Tile {
    std::unique_ptr<Vrouter> router_model;
    std::unique_ptr<Pe> pe_model;
    Vrouter___024root* router;
    PeRoot* pe;
    std::array<std::uint32_t, 4> neighbour;  // by port, N E S W; kNone at the edges
    std::vector<std::uint32_t> executed = {};
    std::uint64_t clocked = 0;  // the edge it was clocked at last
    TallyTimes times = {};
  };

#ifdef WEFT_TALLY
  static constexpr bool kTally = true;
#else
  static constexpr bool kTally = false;
#endif

  /// An edge of a PE; for what it counts it stands for all edges since its last.
  void clock_pe(std::uint32_t index);
  TallyRecord record(std::uint32_t index);

  /// After an edge: counts the instructions that threads decode, each for one cycle.
  static void count(Tile& tile);

  Tile make_tile(VerilatedContext& context, int row, int col) const;
  void wake_all();
  void from_pe(std::uint32_t tile);
  void from_router(std::uint32_t tile);
  /// A message, if `valid`, and credits for input port `port` of a router.
  void to_router(std::uint32_t tile, unsigned port, bool valid, std::uint64_t msg, unsigned credit);
  void add_credit(std::uint32_t tile, unsigned port, unsigned credit);
  const Tile& at(int row, int col) const { return tiles_[static_cast<std::size_t>(row * cols_ + col)]; }

  int rows_, cols_, lanes_, sram_kib_;
  std::vector<Tile> tiles_;               // [row * cols + col]
  std::vector<std::uint32_t> watched_;    // clocked in every cycle
  WakeSet routers_, pes_;                 // to be clocked at the next edge
  bool stirred_ = true;                   // some state has still to fall back to rest
  std::vector<WestLink> west_out_;        // [row]
  std::vector<std::uint32_t> west_sent_;  // rows whose west_out_ is not empty
  std::uint64_t link_messages_ = 0;
  std::uint64_t edges_ = 0;  // since reset
  TallyLog* tallies_ = nullptr;
};

template <class Pe, class PeRoot, int Lanes>
StampedTiles<Pe, PeRoot, Lanes>::StampedTiles(VerilatedContext& context, const WaferShape& shape)
    : rows_(shape.rows),
      cols_(shape.cols),
      lanes_(shape.lanes),
      sram_kib_(shape.sram_kib),
      routers_(static_cast<std::size_t>(rows_ * cols_)),
      pes_(static_cast<std::size_t>(rows_ * cols_)),
      west_out_(static_cast<std::size_t>(shape.rows)) {
  for (int row = 0; row < rows_; ++row)
    for (int col = 0; col < cols_; ++col) tiles_.push_back(make_tile(context, row, col));
  wake_all();
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::wake_all() {
  stirred_ = true;
  for (std::uint32_t tile = 0; tile < tiles_.size(); ++tile) {
    routers_.wake(tile);
    pes_.wake(tile);
  }
}

template <class Pe, class PeRoot, int Lanes>
auto StampedTiles<Pe, PeRoot, Lanes>::make_tile(VerilatedContext& context, int row, int col) const -> Tile {
  const std::string place = std::to_string(row) + "_" + std::to_string(col);
  const auto index = [&](int r, int c) {
    return r >= 0 && r < rows_ && c >= 0 && c < cols_ ? static_cast<std::uint32_t>(r * cols_ + c) : kNone;
  };
  Tile tile{std::make_unique<Vrouter>(&context, ("router_" + place).c_str()),
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
  tile.pe->row_i = static_cast<CData>(row);
  tile.pe->rows_i = static_cast<CData>(rows_);
  tile.pe->col_i = static_cast<CData>(col);
  tile.pe->east_i = static_cast<CData>(cols_ - 1 - col);
  tile.pe->sram_kib_i = static_cast<CData>(sram_kib_);
  first_edge_in_reset(*tile.router_model);
  first_edge_in_reset(*tile.pe_model);
  return tile;
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::reset() {
  for (Tile& tile : tiles_) {
    Vrouter___024root& router = *tile.router;
    router.valid_i = router.route_we_i = 0;
    clear_bits(router.credit_i);
    edge_in_reset(router);
    PeRoot& pe = *tile.pe;
    pe.valid_i = pe.credit_i = pe.no_route_i = pe.bad_color_i = pe.bad_route_i = 0;
    edge_in_reset(pe);
    tile.clocked = 0;
    tile.times = {};
  }
  link_messages_ = edges_ = 0;
  wake_all();
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::clock() {
  ++edges_;
#ifndef WEFT_BLIND
  for (const std::uint32_t index : watched_) {
    pes_.wake(index);
    routers_.wake(index);
  }
#endif
  pes_.clock([this](std::uint32_t index) {
    PeRoot& pe = *tiles_[index].pe;
    clock_pe(index);
    pe.valid_i = pe.credit_i = 0;
#ifdef WEFT_COUNT_INSTRUCTIONS
    count(tiles_[index]);
#endif
  });
  routers_.clock([this](std::uint32_t index) {
    Vrouter___024root& router = *tiles_[index].router;
    clock_edge(router);
    router.valid_i = router.route_we_i = 0;
    clear_bits(router.credit_i);
  });
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::exchange() {
  for (const std::uint32_t row : west_sent_) west_out_[row] = {};
  west_sent_.clear();
  stirred_ = false;
  for (const std::uint32_t tile : pes_.clocked()) from_pe(tile);
  for (const std::uint32_t tile : routers_.clocked()) from_router(tile);
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::from_pe(std::uint32_t tile) {
  const PeRoot& out = *tiles_[tile].pe;
  if (out.busy_o) pes_.wake(tile);
  stirred_ |= out.awake_o != 0;
  if (out.valid_o | out.credit_o) to_router(tile, kRamp, out.valid_o, out.msg_o, out.credit_o);
  if (out.route_we_o) {
    Vrouter___024root& in = *tiles_[tile].router;
    in.route_we_i = 1;
    in.route_i = out.route_o;
    routers_.wake(tile);
  }
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::from_router(std::uint32_t tile) {
  const Vrouter___024root& out = *tiles_[tile].router;
  if (out.busy_o) routers_.wake(tile);
  stirred_ |= out.awake_o != 0;
  PeRoot& pe = *tiles_[tile].pe;
  pe.no_route_i = out.no_route_o;
  pe.bad_color_i = out.bad_color_o;
  pe.bad_route_i = out.bad_route_o;
  if (!out.valid_o && !any_bit(out.credit_o)) return;

  for (unsigned port = 0; port < kRamp; ++port) {
    const bool valid = out.valid_o >> port & 1;
    const unsigned credit = bits_at<kColors>(out.credit_o, port * kColors);
    if (!(valid | credit)) continue;
    link_messages_ += valid;
    const std::uint32_t to = tiles_[tile].neighbour[port];
    if (to != kNone) {
      to_router(to, port ^ 2, valid, out.msg_o[port], credit);  // the neighbour's opposite port
    } else if (port == kWest) {
      const std::uint32_t row = tile / static_cast<std::uint32_t>(cols_);
      west_out_[row] = {valid, out.msg_o[port], credit};
      west_sent_.push_back(row);
    }
  }
  const unsigned credit = bits_at<kColors>(out.credit_o, kRamp * kColors);
  if (out.valid_o >> kRamp | credit) {
    pe.valid_i = out.valid_o >> kRamp;
    pe.msg_i = out.msg_o[kRamp];
    pe.credit_i = static_cast<std::decay_t<decltype(pe.credit_i)>>(credit);
    pes_.wake(tile);
  }
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::to_router(std::uint32_t tile, unsigned port, bool valid, std::uint64_t msg,
                                                unsigned credit) {
  Vrouter___024root& in = *tiles_[tile].router;
  if (credit) add_credit(tile, port, credit);
  if (!valid) return;
  in.valid_i |= static_cast<CData>(1u << port);
  in.msg_i[port] = msg;
  routers_.wake(tile);
}

// Credits for a router without a message change nothing that it does before the next message comes: they wait at its
// input till then, or till a second one of the same pair comes.
template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::add_credit(std::uint32_t tile, unsigned port, unsigned credit) {
  Vrouter___024root& in = *tiles_[tile].router;
  stirred_ = true;
  if (!in.empty_o) routers_.wake(tile);
  if (bits_at<kColors>(in.credit_i, port * kColors) & credit) {
    const CData valid = in.valid_i, route_we = in.route_we_i;  // these are for the next edge
    in.valid_i = in.route_we_i = 0;
    clock_edge(in);
    in.valid_i = valid;
    in.route_we_i = route_we;
    clear_bits(in.credit_i);
  }
  set_bits_at(in.credit_i, port * kColors, credit);
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::west_in(int row, const WestLink& link) {
  to_router(static_cast<std::uint32_t>(row * cols_), kWest, link.valid, link.msg, link.credit);
}

template <class Pe, class PeRoot, int Lanes>
WaferCounters StampedTiles<Pe, PeRoot, Lanes>::work() const {
  WaferCounters sum;
  for (const Tile& tile : tiles_) {
    sum.fma_lanes += tile.pe->fma_lanes_o;
    sum.beats += tile.pe->beats_o;
  }
  return sum;
}

template <class Pe, class PeRoot, int Lanes>
std::vector<std::uint16_t> StampedTiles<Pe, PeRoot, Lanes>::sram(int row, int col, int elements) const {
  const auto& words = at(row, col).pe->pe__DOT__i_vector__DOT__i_sram__DOT__mem_q;
  const auto lanes = static_cast<std::size_t>(lanes_);  // elements of a word
  std::vector<std::uint16_t> result(static_cast<std::size_t>(elements));
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = sram_element(words[i / lanes], static_cast<int>(i % lanes));
  return result;
}

template <class Pe, class PeRoot, int Lanes>
std::uint8_t StampedTiles<Pe, PeRoot, Lanes>::flags(int row, int col) const {
  const Tile& tile = at(row, col);
  unsigned bits = tile.pe->flags_o;  // does not know what the router has seen since its own last edge
  if (tile.router->no_route_o) bits |= 1u << static_cast<unsigned>(isa::Flag::NoRoute);
  if (tile.router->bad_color_o) bits |= 1u << static_cast<unsigned>(isa::Flag::BadColor);
  if (tile.router->bad_route_o) bits |= 1u << static_cast<unsigned>(isa::Flag::BadRoute);
  return static_cast<std::uint8_t>(bits);
}

template <class Pe, class PeRoot, int Lanes>
TileState StampedTiles<Pe, PeRoot, Lanes>::state(int row, int col) const {
  TileState s = tile_state<Lanes, kColors>(*at(row, col).pe, *at(row, col).router);
  s.memory = sram(row, col, sram_kib_ * 512);
  s.flags = flags(row, col);
  return s;
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::count(Tile& tile) {
  const PeRoot& pe = *tile.pe;
#define WEFT_AT(t, name) pe.pe__DOT__i_scalar__DOT__i_##t##_thread__DOT__##name
  if (WEFT_AT(main, state_q) == rtl::kDecode) ++tile.executed[WEFT_AT(main, pc_q)];
  if (WEFT_AT(psum, state_q) == rtl::kDecode) ++tile.executed[isa::kIDepth + WEFT_AT(psum, pc_q)];
#undef WEFT_AT
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::take_back() {
  for (std::uint32_t tile = 0; tile < tiles_.size(); ++tile) {
    PeRoot& pe = *tiles_[tile].pe;
    if (pe.awake_o && !pe.busy_o && !pes_.has(tile)) clock_pe(tile);
  }
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::clock_pe(std::uint32_t index) {
  Tile& tile = tiles_[index];
  if constexpr (kTally) {
    tile.pe->tally_cycles_i = static_cast<IData>(std::min<std::uint64_t>(edges_ - tile.clocked, ~IData{0}));
    tile.clocked = edges_;
  }
  clock_edge(*tile.pe);
  if constexpr (kTally) {
    if (!tally_is_fresh(tile.pe->tally_o)) return;
    tile.times.latched(edges_);
    if (tallies_) tallies_->push_back(record(index));
  }
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::lose_credit(int row, int col, int port, int color) {
  auto& counts = at(row, col).router->router__DOT__i_credits__DOT__count_q;  // bit-sliced
  const unsigned pair = static_cast<unsigned>(port) * kColors + static_cast<unsigned>(color);
  for (unsigned b = 0; b < rtl::bits_for(kBuiltDepth + 1); ++b) {
    const unsigned place = b * 5 * kColors + pair;
    const bool set = bits_at<1>(counts, place);
    flip_bit(counts, place);
    if (set) return;  // else it borrows
  }
}

template <class Pe, class PeRoot, int Lanes>
TallyRecord StampedTiles<Pe, PeRoot, Lanes>::record(std::uint32_t index) {
  const Tile& tile = tiles_[index];
  TallyRecord r = read_tally([&tile](unsigned cause) -> const auto& {
    tile.pe->tally_read_i = static_cast<CData>(cause);
    follow_inputs(*tile.pe);
    return tile.pe->tally_o;
  });
  r.row = static_cast<int>(index) / cols_;
  r.col = static_cast<int>(index) % cols_;
  r.begin = tile.times.begin;
  r.end = tile.times.end;
  return r;
}

template <class Pe, class PeRoot, int Lanes>
TallyRecord StampedTiles<Pe, PeRoot, Lanes>::tally(int row, int col) {
  if constexpr (!kTally) throw std::logic_error("this simulator does not count where cycles go");
  return record(static_cast<std::uint32_t>(row * cols_ + col));
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::log_tallies(TallyLog* log) {
  if constexpr (!kTally) throw std::logic_error("this simulator does not count where cycles go");
  tallies_ = log;
}

template <class Pe, class PeRoot, int Lanes>
std::string StampedTiles<Pe, PeRoot, Lanes>::running(int row, int col) const {
  const PeRoot& pe = *at(row, col).pe;
  if (!pe.awake_o) return "";
  const auto thread = [](const char* name, unsigned state, unsigned pc, unsigned executed) {
    if (state == rtl::kHalted) return name + std::string(" rests");
    return name + (" pc " + std::to_string(state > rtl::kDecode ? executed : pc));
  };
#define WEFT_AT(t, name) pe.pe__DOT__i_scalar__DOT__i_##t##_thread__DOT__##name
  return thread("runs: main", WEFT_AT(main, state_q), WEFT_AT(main, pc_q), WEFT_AT(main, here_q)) +
         thread("; psum", WEFT_AT(psum, state_q), WEFT_AT(psum, pc_q), WEFT_AT(psum, here_q));
#undef WEFT_AT
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::put(int row, int col, const TileState& state) {
  PeRoot& pe = *at(row, col).pe;
  put_state<Lanes>(pe, state);
  auto& words = pe.pe__DOT__i_vector__DOT__i_sram__DOT__mem_q;
  for (std::size_t i = 0; i < state.memory.size(); ++i)
    set_sram_element(words[i / Lanes], static_cast<int>(i % Lanes), state.memory[i]);
}

template <class Pe, class PeRoot, int Lanes>
TileView StampedTiles<Pe, PeRoot, Lanes>::view(int row, int col) {
  const Tile& tile = at(row, col);
  follow_inputs(*tile.pe);
  follow_inputs(*tile.router);
  return tile_view<Lanes>(*tile.pe, *tile.router);
}

}  // namespace weft
