/// A wafer of Verilated tiles, clocked one by one (verif/sim/tile_grid.hpp).
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "verif/sim/clocked_wafer.hpp"
#include "verif/sim/tile_grid.hpp"
#include "verif/sim/west_edge.hpp"

namespace weft::sim {

/// Supports any shape without a rebuild. Used by one thread at a time, any one; wafers are independent of each other.
class ReplicatedWafer final : public ClockedWafer {
 public:
  /// Uses up to `threads` threads for a cycle, at most one per row; the first is the caller's.
  explicit ReplicatedWafer(const machine::WaferShape& shape, int threads = 1);
  ~ReplicatedWafer() override;

  std::vector<std::uint16_t> sram(int row, int col) const override {
    return tiles_->sram(row, col, shape().sram_elements());
  }
  machine::TileState state(int row, int col) const override { return tiles_->state(row, col); }
  /// As TileGrid::executed().
  std::vector<std::uint32_t> executed(int row, int col) const { return tiles_->executed(row, col); }
  /// As TileGrid::helped().
  std::uint64_t helped() const { return tiles_->helped(); }
  /// As TileGrid::stall_record().
  StallRecord stall_record(int row, int col) { return tiles_->stall_record(row, col); }
  void log_stalls(StallLog* log) override { tiles_->log_stalls(log); }

  void watch(TileWatch* watch, std::span<const TilePlace> tiles = {}) override;
  void set_state(int row, int col, const machine::TileState& state) override { tiles_->set_state(row, col, state); }
  /// As TileGrid::lose_credit().
  void lose_credit(int row, int col, int port, int color) { tiles_->lose_credit(row, col, port, color); }

 protected:
  void reset_edge() override;
  void cycle() override;
  bool awake() const override { return tiles_->awake() || edge_.awake(); }
  bool ready(int valve) const override;
  bool served(int valve, int group) const override { return served_[at(group, valve)] != 0; }
  WaferCounters work() const override { return tiles_->work(); }
  std::uint64_t link_messages() const override { return tiles_->link_messages(); }
  void fetch_tile_states() override { tiles_->fetch_states(); }
  std::uint64_t debug(int row, int col) const override { return tiles_->debug(row, col); }
  std::string running(int row, int col) const override { return tiles_->running(row, col); }
  std::uint8_t tile_flags(int row, int col) const override { return tiles_->flags(row, col); }
  std::uint8_t edge_flags(int row) const override { return edge_.flags(row); }
  bool show(machine::HangSnapshot& s) const override;

 private:
  /// Number of a group's valve among those of all groups.
  std::size_t at(int group, int valve) const { return static_cast<std::size_t>(group * shape().valves + valve); }
  /// Offers the front message of the queue to the valves that still need it, as weft_group_fanout does.
  void offer(int valve);

  /// Held while contexts and models of any wafer are created and destroyed: Verilator's runtime keeps the last context
  /// in a global variable, which each of them writes. Between creation and destruction a wafer touches only its own
  /// data.
  static std::mutex making;

  std::unique_lock<std::mutex> lock_{
      making};  // first member: also held while members are destroyed after a failed constructor
  std::unique_ptr<VerilatedContext> context_;  // outlives all models
  std::unique_ptr<TileGrid> tiles_;
  WestEdge edge_;
  std::vector<char> served_;  // [group's valve]: weft_group_fanout's served_q
  TileWatch* watch_ = nullptr;
  std::vector<TilePlace> watched_;
};

}  // namespace weft::sim
