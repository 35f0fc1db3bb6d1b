/// The RTL wafer: stamped tiles, a stamped west edge.
#include "verif/sim/stamped_wafer.hpp"

#include "verif/sim/debug_state.hpp"

namespace weft {
namespace {

std::unique_ptr<VerilatedContext> make_context() {
  auto context = std::make_unique<VerilatedContext>();
  context->threads(1);  // or it starts a pool of them
  return context;
}

}  // namespace

constinit std::mutex StampedWafer::making;

StampedWafer::StampedWafer(const WaferShape& shape)
    : ClockedWafer(shape), context_(make_context()), tiles_(make_tile_grid(*context_, shape)), edge_(*context_, shape) {
  lock_.unlock();
}

// A dying model takes leave of its thread's current context, which another wafer's may have become.
StampedWafer::~StampedWafer() {
  lock_.lock();
  Verilated::threadContextp(context_.get());
}

void StampedWafer::cycle() {
  for (int v = 0; v < shape().valves; ++v) {
    if (intake_[v].empty()) continue;
    edge_.offer(v, intake_[v].front());
    if (edge_.ready(v)) accepted(v);
  }
  for (const auto& [row, word] : edge_.offers()) delivered(row, word);
  tiles_->clock();
  edge_.clock();
  tiles_->exchange();
  edge_.exchange(*tiles_);
}

std::string StampedWafer::waiting() const {
  std::string text;
  int shown = 0, hidden = 0;
  for (int row = 0; row < shape().rows; ++row) {
    for (int col = 0; col < shape().cols; ++col) {
      std::string what = tiles_->running(row, col);
      if (what.empty()) {
        const DebugState state(tiles_->debug(row, col));
        if (state.rests()) continue;
        what = state.text();
      }
      if (++shown > kTilesShown) {
        ++hidden;
        continue;
      }
      text += "row " + std::to_string(row) + " column " + std::to_string(col) + ": " + what + "\n";
    }
  }
  if (hidden > 0) text += "and " + std::to_string(hidden) + " more tiles\n";
  if (shown == 0) text += "all tiles rest\n";
  if (const std::string set = flags(); !set.empty()) text += "flags: " + set + "\n";
  return text;
}

std::string StampedWafer::flags() const {
  std::string text;
  const auto add = [&](const std::string& place, std::uint8_t bits) {
    if (bits != 0) text += (text.empty() ? "" : "; ") + place + ":" + flag_names(bits);
  };
  for (int row = 0; row < shape().rows; ++row) {
    add("row " + std::to_string(row) + " edge", edge_.flags(row));
    for (int col = 0; col < shape().cols; ++col)
      add("row " + std::to_string(row) + " column " + std::to_string(col), tiles_->flags(row, col));
  }
  return text;
}

std::unique_ptr<Wafer> make_rtl_wafer(const WaferShape& shape) { return std::make_unique<StampedWafer>(shape); }

}  // namespace weft
