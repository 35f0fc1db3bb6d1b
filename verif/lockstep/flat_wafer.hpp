/// rtl/wafer.sv as one Verilated top, of a size fixed at build time: what the stamped wafer is measured against.
#pragma once

#include <verilated.h>
#include <verilated_syms.h>

#include <bit>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "verif/sim/clocked_wafer.hpp"

namespace weft {

/// `Model` is the class Verilator made. Evaluates everything in every cycle, both clock edges.
template <class Model>
class FlatWafer final : public ClockedWafer {
 public:
  /// The shape must be the one Model was built with.
  explicit FlatWafer(const WaferShape& shape)
      : ClockedWafer(shape), context_(std::make_unique<VerilatedContext>()), top_(context_.get(), "flat") {
    top_.sram_kib_i = static_cast<CData>(shape.sram_kib);
    FlatWafer::reset_edge();
  }

  // A dying model takes leave of its thread's current context, which another wafer's may have become.
  ~FlatWafer() override { Verilated::threadContextp(context_.get()); }

  Model& top() { return top_; }
  /// Calls `watch` in every cycle from now on, just before the clock edge, when all signals have settled.
  void watch(std::function<void()> watch) { watch_ = std::move(watch); }

  /// If Model was built with Tally.
  void log_tallies(TallyLog* log) override { tallies_ = log; }

  std::vector<std::uint16_t> sram(int row, int col) const override {
    const std::string scope = "flat.wafer.gen_row[" + std::to_string(row) + "].gen_col[" + std::to_string(col) +
                              "].i_tile.i_pe.i_vector.i_sram";
    // Verilator keeps a word as little-endian 32-bit parts: the memory is its elements, one after the other.
    static_assert(std::endian::native == std::endian::little);
    std::vector<std::uint16_t> elements(static_cast<std::size_t>(shape().sram_elements()));
    std::memcpy(elements.data(), context_->scopeFind(scope.c_str())->varFind("mem_q")->datap(), 2 * elements.size());
    return elements;
  }

 protected:
  void reset_edge() override {
    top_.rst_i = 1;
    clock();
    top_.rst_i = 0;
    settle_inputs();
    edges_ = 0;
    times_.assign(static_cast<std::size_t>(shape().rows * shape().cols), {});
  }
  void cycle() override {
    unsigned valid = 0, ctrl = 0;
    for (int v = 0; v < shape().valves; ++v) {
      if (intake_[v].empty() || !offers(v)) continue;
      const std::uint64_t word = intake_[v].front();
      valid |= 1u << v;
      ctrl |= static_cast<unsigned>(word >> 37) << v;
      top_.valve_data_i[v] = static_cast<IData>(word);
    }
    top_.valve_valid_i = static_cast<decltype(top_.valve_valid_i + 0)>(valid);
    top_.valve_ctrl_i = static_cast<decltype(top_.valve_ctrl_i + 0)>(ctrl);
    settle_inputs();
    for (int v = 0; v < shape().valves; ++v)
      if ((valid & top_.valve_ready_o) >> v & 1) accepted(v);
    unsigned ready = 0;
    for (int row = 0; row < shape().rows; ++row) {
      if (!(top_.outlet_valid_o >> row & 1) || !takes(row)) continue;
      ready |= 1u << row;
      delivered(row, static_cast<std::uint32_t>(top_.outlet_msg_o[row]));
    }
    top_.outlet_ready_i = static_cast<decltype(top_.outlet_ready_i + 0)>(ready);
    clock();
    top_.valve_valid_i = 0;
    settle_inputs();
    ++edges_;
    look_for_tallies();
  }
  bool awake() const override { return top_.awake_o; }
  bool ready(int valve) const override { return top_.valve_ready_o >> valve & 1; }
  WaferCounters work() const override {
    WaferCounters sum;
    for (int i = 0; i < shape().rows * shape().cols; ++i) {
      sum.fma_lanes += top_.fma_lanes_o[i];
      sum.beats += top_.beats_o[i];
    }
    return sum;
  }
  std::uint64_t debug(int row, int col) const override { return top_.dbg_o[tile(row, col)]; }
  std::string running(int row, int col) const override { return top_.tile_awake_o[tile(row, col)] ? "runs" : ""; }
  std::uint8_t tile_flags(int row, int col) const override { return top_.tile_flags_o[tile(row, col)]; }
  std::uint8_t edge_flags(int row) const override { return top_.edge_flags_o[row]; }

 private:
  void look_for_tallies() {
    for (int i = 0; i < shape().rows * shape().cols; ++i) {
      if (!tally_is_fresh(top_.tally_o[i])) continue;
      TallyTimes& times = times_[static_cast<std::size_t>(i)];
      times.latched(edges_);
      if (!tallies_) continue;
      TallyRecord r = read_tally([&](unsigned cause) -> const auto& {
        top_.tally_read_i = static_cast<CData>(cause);
        top_.eval();
        return top_.tally_o[i];
      });
      r.row = i / shape().cols;
      r.col = i % shape().cols;
      r.begin = times.begin;
      r.end = times.end;
      tallies_->push_back(r);
    }
  }
  int tile(int row, int col) const { return row * shape().cols + col; }
  void settle_inputs() {
    top_.clk_i = 0;
    top_.eval();
  }
  void clock() {
    settle_inputs();
    if (watch_) watch_();
    top_.clk_i = 1;
    top_.eval();
  }

  std::unique_ptr<VerilatedContext> context_;  // outlives the model
  Model top_;
  std::function<void()> watch_;
  std::uint64_t edges_ = 0;        // since reset
  std::vector<TallyTimes> times_;  // [tile]
  TallyLog* tallies_ = nullptr;
};

}  // namespace weft
