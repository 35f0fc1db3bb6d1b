#include "host/inspect/debug/live_target.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "sw/base/refusal.hpp"

namespace weft::inspect::debug {
namespace {

constexpr std::size_t kMostRests = 24;        // snapshots to rewind to; each takes megabytes on a large wafer
constexpr std::uint64_t kBetweenAsks = 1024;  // units, some milliseconds

}  // namespace

LiveTarget::LiveTarget(std::unique_ptr<const Workload> workload) : workload_(std::move(workload)) {
  for (int r = 0; r < workload_->shape().rows; ++r)
    for (int c = 0; c < workload_->shape().cols; ++c) tiles_.push_back({r, c});
}

void LiveTarget::start(std::vector<machine::TileState> states, std::size_t first) {
  go_on_from(rests_[0] = Rest{.phase = first, .states = std::move(states)});
}

void LiveTarget::go_on_from(const Rest& rest) {
  hang_ = nullptr;
  set_states(rest.states);
  begin(rest.phase);
}

void LiveTarget::begin(std::size_t phase) {
  phase_ = phase;
  queue(workload_->messages(phase));
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
    if (phase_ + 1 == workload_->phases()) return false;
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
    if (interrupted() || !advance()) break;
}

bool LiveTarget::interrupted() const { return time_ % kBetweenAsks == 0 && ask_ && ask_(); }

std::string LiveTarget::now() const { return fmt::format("{} {}, {}", unit(), time_, phase_name()); }

std::string LiveTarget::report() const {
  if (!hang_) throw Refusal("report", "the wafer does not hang", "info streams shows what waits in a tile");
  return deadlock::report(*hang_, workload_->programs());
}

}  // namespace weft::inspect::debug
