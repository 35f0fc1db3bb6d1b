/// A few Verilated tiles, wired as in a wafer, driven from the west edge: the bench of the processing element's tests.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "Vweft_tile.h"
#include "Vweft_tile___024root.h"
#include "sw/asm/assembler.hpp"
#include "tests/pe/row_edge.hpp"
#include "verif/sim/sram_word.hpp"
#include "verif/sim/stall_record.hpp"

namespace weft::test {

/// Lanes of the tile under test, chosen in CMake like those of the Verilated model itself.
inline constexpr int kLanes = WEFT_TILE_LANES;
/// First address of the upper half of a tile's SRAM of 48 KiB (docs/explanation/memory.md).
inline constexpr int kUpperHalf = 16384;

/// `rows x cols` tiles. Every row has its own intake: messages to row r reach the tiles of row r only.
///
/// The RING, NORTH and WEST routes are set at construction. Not thread-safe.
class TileGrid {
 public:
  /// With `skip`, tiles that are asleep and get no input are not evaluated.
  explicit TileGrid(int rows = 1, int cols = 1, bool skip = true, int sram_kib = 48)
      : rows_(rows), cols_(cols), skip_(skip) {
    for (int i = 0; i < rows * cols; ++i) {
      tiles_.push_back(std::make_unique<Vweft_tile>(&context_));
      Vweft_tile& t = *tiles_.back();
      t.row_i = static_cast<std::uint16_t>(i / cols);
      t.rows_i = static_cast<std::uint16_t>(rows);
      t.col_i = static_cast<std::uint16_t>(i % cols);
      t.east_i = static_cast<std::uint16_t>(cols - 1 - i % cols);
      t.sram_kib_i = static_cast<std::uint8_t>(sram_kib);
    }
    clocked_.resize(tiles_.size());
    times_.resize(tiles_.size());
    reset(1);
  }
  /// Resets tiles and edges for so many cycles, and sends the routes.
  void reset(int cycles) {
    edges_.assign(static_cast<std::size_t>(rows_), RowEdge{});
    for (auto& t : tiles_) t->rst_i = 1;
    for (int n = 0; n < cycles; ++n) edge(true);
    for (auto& t : tiles_) t->rst_i = 0;
    clocked_.assign(tiles_.size(), cycles_);
    times_.assign(tiles_.size(), {.open = cycles_});
    for (int r = 0; r < rows_; ++r) set_routes(r);
  }
  ~TileGrid() {
    for (auto& t : tiles_) t->final();
    Verilated::threadContextp(&context_);  // a model uses the context in its destructor, and other grids may be gone
  }

  // ---------------------------------------------------------------- host messages (queued; time passes in run)
  void send(int row, machine::Message m) { edges_[row].intake.push_back(m); }
  /// Sends a message of any color, at once, from the west edge of the row.
  void edge_sends(int row, std::uint64_t msg) {
    edges_[row].stray = msg;
    step();
  }
  void command(int row, machine::Command code, std::uint8_t arg, std::uint16_t value) {
    send(row, machine::Message::command(code, arg, value));
  }
  void weight(int row, std::uint16_t index, std::uint16_t value) { send(row, machine::Message::weight(index, value)); }
  void cr(int row = 0) { command(row, machine::Command::CR, 0, 0); }
  void set_reg(int r, int value, int row = 0) {
    command(row, machine::Command::Setreg, static_cast<std::uint8_t>(r), static_cast<std::uint16_t>(value));
  }
  void call(int address, int row = 0) { command(row, machine::Command::Call, 0, static_cast<std::uint16_t>(address)); }
  void select(int row, machine::Selection tiles) { send(row, machine::Message::select(tiles)); }
  void write(int address, const std::vector<std::uint16_t>& values, int row = 0) {
    command(row, machine::Command::Maddr, 0, static_cast<std::uint16_t>(address));
    for (auto v : values) command(row, machine::Command::Mdata, 0, v);
  }
  void load(const std::vector<std::uint32_t>& words, int row = 0, int address = 0) {
    command(row, machine::Command::Iaddr, 0, static_cast<std::uint16_t>(address));
    for (auto w : words) {
      command(row, machine::Command::Ilo, 0, static_cast<std::uint16_t>(w));
      command(row, machine::Command::Ihi, 0, static_cast<std::uint16_t>(w >> 16));
    }
  }
  /// Assembles and loads at address 0 of every row.
  void program(std::string_view source, const assembler::Constants& constants = {}) {
    const assembler::Program p = assembler::assemble(source, "test", constants);
    for (int r = 0; r < rows_; ++r) load(p.words, r);
  }

  // ------------------------------------------------------------------------------------------------------- time
  /// One cycle.
  void step() { edge(false); }

  /// Runs until all tiles rest. Throws after `limit` cycles.
  void settle(std::uint64_t limit = 1'000'000) {
    for (std::uint64_t n = 0; n < limit; ++n) {
      step();
      if (quiet()) return;
    }
    throw std::runtime_error("the tiles do not come to rest");
  }
  bool quiet() const {
    for (const RowEdge& e : edges_) {
      if (e.has_more()) return false;
    }
    for (const auto& t : tiles_) {
      if (t->awake_o) return false;
    }
    return true;
  }
  std::uint64_t cycles() const { return cycles_; }
  std::uint64_t skipped() const { return skipped_; }
  int rows() const { return rows_; }

  // -------------------------------------------------------------------------------------------------- observation
  Vweft_tile& tile(int row = 0, int col = 0) { return *tiles_[row * cols_ + col]; }
  /// Messages of row r's outlet, in order of arrival.
  std::vector<std::uint32_t>& outlet(int row = 0) { return edges_[row].outlet; }
  bool resting(int row = 0, int col = 0) { return edges_[row].intake.empty() && !tile(row, col).awake_o; }
  /// The tile's cycle counters before its last MARK.
  sim::StallRecord stall_record(int row = 0, int col = 0) {
    Vweft_tile& t = tile(row, col);
    sim::StallRecord r = sim::read_stalls([&t](unsigned reason) -> const auto& {
      t.tally_read_i = static_cast<CData>(reason);
      t.eval();
      return t.tally_o;
    });
    r.row = row, r.col = col;
    r.begin = times_[row * cols_ + col].begin, r.end = times_[row * cols_ + col].end;
    return r;
  }
  int flags(int row = 0, int col = 0) { return tile(row, col).flags_o; }

  std::uint16_t mem(int address, int row = 0, int col = 0) {
    const auto& m = tile(row, col).rootp->weft_tile__DOT__i_pe__DOT__i_vector__DOT__i_sram__DOT__mem_q;
    return sim::sram_element(m[address / kLanes], address % kLanes);
  }
  /// Writes a value to memory at once, without a command.
  void poke(int address, std::uint16_t value, int row = 0, int col = 0) {
    auto& word = tile(row, col).rootp->weft_tile__DOT__i_pe__DOT__i_vector__DOT__i_sram__DOT__mem_q[address / kLanes];
    sim::set_sram_element(word, address % kLanes, value);
  }
  std::uint32_t& acc(int entry, int lane, int row = 0, int col = 0) {
    auto* root = tile(row, col).rootp;
#define WEFT_R(l) \
  if (lane == l)  \
  return root->weft_tile__DOT__i_pe__DOT__i_vector__DOT__i_lanes__DOT__gen_r__BRA__##l##__KET____DOT__mem_q[entry]
    WEFT_R(0);
    WEFT_R(1);
#if WEFT_TILE_LANES >= 4
    WEFT_R(2);
    WEFT_R(3);
#endif
#if WEFT_TILE_LANES >= 8
    WEFT_R(4);
    WEFT_R(5);
    WEFT_R(6);
    WEFT_R(7);
#endif
#if WEFT_TILE_LANES >= 16
    WEFT_R(8);
    WEFT_R(9);
    WEFT_R(10);
    WEFT_R(11);
    WEFT_R(12);
    WEFT_R(13);
    WEFT_R(14);
    WEFT_R(15);
#endif
#undef WEFT_R
    throw std::out_of_range("lane " + std::to_string(lane));
  }
  std::uint16_t& reg(int thread, int r, int row = 0, int col = 0) {
    auto* root = tile(row, col).rootp;
    return thread == 0 ? root->weft_tile__DOT__i_pe__DOT__i_scalar__DOT__i_main__DOT__rf_q[r]
                       : root->weft_tile__DOT__i_pe__DOT__i_scalar__DOT__i_psum__DOT__rf_q[r];
  }
  /// Makes the outlets return no credits until released.
  void hold_outlets(bool hold) {
    for (RowEdge& e : edges_) e.hold = hold;
  }

 private:
  /// Sets the compiler's routes (sw/compiler/program/load.cpp); a single row is its own neighbour.
  void set_routes(int r) {
    constexpr int north = 0, east = 1, south = 2, west = 3, ramp = 4;
    const bool first = r == 0, last = r == rows_ - 1;
    if (rows_ == 1) {
      route(r, machine::Color::Ring, ramp, 1 << ramp);
      route(r, machine::Color::North, ramp, 1 << ramp);
    } else {
      route(r, machine::Color::Ring, ramp, 1 << (last ? north : south));
      if (!first) route(r, machine::Color::Ring, north, 1 << ramp);
      if (!last) route(r, machine::Color::Ring, south, 1 << (first ? ramp : north));
      if (!first) route(r, machine::Color::North, ramp, 1 << north);
      if (!last) route(r, machine::Color::North, south, 1 << ramp);
    }
    route(r, machine::Color::West, ramp, 1 << west);
    route(r, machine::Color::West, east, 1 << ramp);
  }
  void route(int row, machine::Color color, int port, int outputs) {
    command(row, machine::Command::Route, 0,
            static_cast<std::uint16_t>(static_cast<int>(color) << 11 | port << 8 | outputs));
  }

  void edge(bool reset) {
    const int count = rows_ * cols_;
    out_.resize(count);
    for (int i = 0; i < count; ++i) {
      const Vweft_tile& t = *tiles_[i];
      out_[i][0] = {t.n_valid_o != 0, t.n_msg_o, t.n_credit_o};
      out_[i][1] = {t.e_valid_o != 0, t.e_msg_o, t.e_credit_o};
      out_[i][2] = {t.s_valid_o != 0, t.s_msg_o, t.s_credit_o};
      out_[i][3] = {t.w_valid_o != 0, t.w_msg_o, t.w_credit_o};
    }
    for (int i = 0; i < count; ++i) {
      Vweft_tile& t = *tiles_[i];
      const int r = i / cols_, c = i % cols_;
      Link n, e, s, w;
      if (r > 0) n = out_[i - cols_][2];
      if (r + 1 < rows_) s = out_[i + cols_][0];
      if (c + 1 < cols_) e = out_[i + 1][3];
      if (c > 0) {
        w = out_[i - 1][1];
      } else if (!reset) {
        w = edges_[r].exchange(out_[i][3]);
      }
      t.n_valid_i = n.valid, t.n_msg_i = n.msg, t.n_credit_i = n.credit;
      t.s_valid_i = s.valid, t.s_msg_i = s.msg, t.s_credit_i = s.credit;
      t.e_valid_i = e.valid, t.e_msg_i = e.msg, t.e_credit_i = e.credit;
      t.w_valid_i = w.valid, t.w_msg_i = w.msg, t.w_credit_i = w.credit;
      if (skip_ && !reset && !t.awake_o &&
          !(n.valid | s.valid | e.valid | w.valid | n.credit | s.credit | e.credit | w.credit)) {
        ++skipped_;
        continue;
      }
      t.tally_cycles_i = static_cast<std::uint32_t>(cycles_ + 1 - clocked_[i]);
      clocked_[i] = cycles_ + 1;
      t.clk_i = 0;
      t.eval();
      t.clk_i = 1;
      t.eval();
      if (sim::is_fresh_stall_record(t.tally_o)) times_[i].latched(cycles_ + 1);
    }
    ++cycles_;
  }

  int rows_, cols_;
  bool skip_;
  VerilatedContext context_;
  std::vector<std::unique_ptr<Vweft_tile>> tiles_;
  std::vector<std::array<Link, 4>> out_;
  std::vector<RowEdge> edges_;
  std::uint64_t cycles_ = 0, skipped_ = 0;
  std::vector<std::uint64_t> clocked_;  // [tile], the cycle of its last clock edge
  std::vector<sim::StallTimes> times_;
};

}  // namespace weft::test
