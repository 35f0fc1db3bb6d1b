/// The RTL wafer: replicated tiles and a replicated west edge.
#include "verif/sim/replicated_wafer.hpp"

#include <algorithm>

#include "verif/sim/tile_hang.hpp"

namespace weft::sim {
namespace {

std::unique_ptr<VerilatedContext> make_context() {
  auto context = std::make_unique<VerilatedContext>();
  context->threads(1);  // prevents the creation of a thread pool
  return context;
}

}  // namespace

constinit std::mutex ReplicatedWafer::making;

ReplicatedWafer::ReplicatedWafer(const machine::WaferShape& shape, int threads)
    : ClockedWafer(shape),
      context_(make_context()),
      tiles_(make_tile_grid(*context_, shape, threads)),
      edge_(*context_, shape),
      served_(static_cast<std::size_t>(shape.row_groups * shape.valves)) {
  lock_.unlock();
  if (wafer_created_hook) wafer_created_hook(*this);
}

// A model's destructor uses its thread's current context, which may by now belong to another wafer.
ReplicatedWafer::~ReplicatedWafer() {
  lock_.lock();
  Verilated::threadContextp(context_.get());
}

void ReplicatedWafer::reset_edge() {
  tiles_->reset();
  edge_.reset();
  std::ranges::fill(served_, 0);
}

void ReplicatedWafer::watch(TileWatch* watch, std::span<const TilePlace> tiles) {
  tiles_->watch_none();
  watched_.assign(tiles.begin(), tiles.end());
  for (const auto& [row, col] : watched_) tiles_->watch(row, col);
  watch_ = watch;
}

bool ReplicatedWafer::ready(int valve) const {
  if (shape().row_groups == 1) return edge_.ready(valve);
  for (int g = 0; g < shape().row_groups; ++g)
    if (is_for(intake_[valve].front(), g) && !served(valve, g) && edge_.ready(static_cast<int>(at(g, valve))))
      return true;
  return false;
}

void ReplicatedWafer::offer(int valve) {
  const std::uint64_t word = intake_[valve].front();
  bool all = true;
  for (int g = 0; g < shape().row_groups; ++g) {
    if (!is_for(word, g) || served(valve, g)) continue;
    const int one = static_cast<int>(at(g, valve));
    edge_.offer(one, word);
    const bool taken = edge_.ready(one);
    served_[at(g, valve)] = taken;
    all = all && taken;
  }
  if (!all) return;
  for (int g = 0; g < shape().row_groups; ++g) served_[at(g, valve)] = 0;
  accepted(valve);
}

void ReplicatedWafer::cycle() {
  for (int v = 0; v < shape().valves; ++v)
    if (!intake_[v].empty() && offers(v)) offer(v);
  for (const auto& [row, word] : edge_.offers()) {
    const bool taken = takes(row);
    edge_.listen(row, taken);
    if (taken) delivered(row, word);
  }
#ifndef WEFT_NO_TRACE  // a CMake option, to measure the cost of the check for a watch
  if (watch_ != nullptr)
    for (std::size_t n = 0; n < watched_.size(); ++n)
      watch_->observe(cycle_number(), n, tiles_->view(watched_[n].row, watched_[n].col));
#endif
  tiles_->cycle();
  edge_.clock();
  edge_.exchange(*tiles_);
}

bool ReplicatedWafer::show(machine::HangSnapshot& s) const {
  s.depth = static_cast<int>(kBuiltDepth);
  machine::WaferShape all = shape();
  all.rows = shape().all_rows();
  for (int row = 0; row < shape().all_rows(); ++row) {
    for (int col = 0; col < shape().cols; ++col) {
      s.tiles.push_back(tiles_->hang_snapshot(row, col));
      if (!machine::keeps_memories(all)) s.tiles.back().state.memory = {};
    }
    s.rows.push_back(edge_.hang_snapshot(row));
  }
  for (int v = 0; v < shape().valves * shape().row_groups; ++v) s.valves.push_back({.credits = edge_.credits(v)});
  return true;
}

std::unique_ptr<ClockedWafer> make_clocked_wafer(const machine::WaferShape& shape) {
  return std::make_unique<ReplicatedWafer>(shape);
}

}  // namespace weft::sim

namespace weft {

std::unique_ptr<Wafer> make_rtl_wafer(const machine::WaferShape& shape, int threads) {
  return std::make_unique<sim::ReplicatedWafer>(shape, threads);
}

}  // namespace weft
