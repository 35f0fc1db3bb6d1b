/// The RTL wafer: replicated tiles and a replicated west edge.
#include "verif/sim/replicated_wafer.hpp"

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
      edge_(*context_, shape) {
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
}

void ReplicatedWafer::watch(TileWatch* watch, std::span<const TilePlace> tiles) {
  tiles_->watch_none();
  watched_.assign(tiles.begin(), tiles.end());
  for (const auto& [row, col] : watched_) tiles_->watch(row, col);
  watch_ = watch;
}

void ReplicatedWafer::cycle() {
  for (int v = 0; v < shape().valves; ++v) {
    if (intake_[v].empty() || !offers(v)) continue;
    edge_.offer(v, intake_[v].front());
    if (edge_.ready(v)) accepted(v);
  }
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
  for (int row = 0; row < shape().rows; ++row) {
    for (int col = 0; col < shape().cols; ++col) {
      s.tiles.push_back(tiles_->hang_snapshot(row, col));
      if (!machine::keeps_memories(shape())) s.tiles.back().state.memory = {};
    }
    s.rows.push_back(edge_.hang_snapshot(row));
  }
  for (int v = 0; v < shape().valves; ++v) s.valves.push_back({.credits = edge_.credits(v)});
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
