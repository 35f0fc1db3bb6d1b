#include "host/inspect/debug/live_target.hpp"

#include <fmt/format.h>

#include <iterator>

#include "sw/base/refusal.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/deadlock/report.hpp"

namespace weft::inspect::debug {
namespace {

constexpr std::size_t kMostRests = 24;  // snapshots to rewind to; each takes megabytes on a large wafer

}  // namespace

void LiveTarget::start(std::span<const machine::Message> tokens, std::size_t first, int model_threads) {
  const auto model = make_model_wafer(plan_.wafer, model_threads);
  model->feed(plan_.load);
  model->feed(tokens);
  std::vector<machine::Message> messages;
  for (std::size_t n = 0; n < first; ++n) {
    compiler::expand(plan_.ops[n], parameters_, messages);
    model->feed(messages);
  }
  model->settle();
  Rest begin{.phase = first, .states = {}};
  for (int r = 0; r < plan_.wafer.rows; ++r) {
    for (int c = 0; c < plan_.wafer.cols; ++c) {
      tiles_.push_back({r, c});
      begin.states.push_back(model->state(r, c));
    }
  }
  go_on_from(rests_[0] = std::move(begin));
}

void LiveTarget::go_on_from(const Rest& rest) {
  hang_ = nullptr;
  set_states(rest.states);
  begin(rest.phase);
}

void LiveTarget::begin(std::size_t phase) {
  phase_ = phase;
  std::vector<machine::Message> messages;
  compiler::expand(plan_.ops[phase], parameters_, messages);
  queue(messages);
}

void LiveTarget::rest() {
  if (rests_.contains(time_)) return;
  Rest now{.phase = phase_ + 1, .states = {}};
  for (const sim::TilePlace tile : tiles_) now.states.push_back(state(tile));
  rests_[time_] = std::move(now);
  if (rests_.size() > kMostRests) rests_.erase(std::next(rests_.begin()));  // the initial snapshot stays
}

bool LiveTarget::advance() try {
  while (!move()) {
    settle();  // throws WaferHang, with the wait-for relations, if the wafer hangs
    if (phase_ + 1 == plan_.ops.size()) return false;
    rest();
    begin(phase_ + 1);
  }
  ++time_;
  return true;
} catch (const WaferHang& hang) {
  hang_ = hang.hang_snapshot;
  throw;
}

void LiveTarget::rewind(std::uint64_t time) {
  auto from = rests_.upper_bound(time);
  --from;  // the initial snapshot always exists
  go_on_from(from->second);
  for (time_ = from->first; time_ < time;)
    if (!advance()) break;
}

Names LiveTarget::names() const {
  return {.program = plan_.program, .arrays = plan_.arrays, .wafer = plan_.wafer, .width = plan_.tokens_per_column};
}

std::string LiveTarget::now() const { return fmt::format("{} {}, {}", unit(), time_, phase_name()); }

std::string LiveTarget::report() const {
  if (!hang_) throw Refusal("report", "the wafer does not hang", "info streams shows what waits in a tile");
  return deadlock::report(*hang_, &plan_.program);
}

}  // namespace weft::inspect::debug
