#include "verif/sim/thread_team.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace weft::sim {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kLookout{100};     // a helper spins for so long before it sleeps
constexpr std::chrono::microseconds kLate{200};        // longer than the part of any helper that has a core
constexpr std::uint32_t kFirst = 64, kMost = 1 << 16;  // runs without helpers after a delay

/// Waits until `there()` is true, for about `patience`, and yields the core to other threads meanwhile. Returns false
/// on timeout.
template <class There>
bool look_out(std::chrono::microseconds patience, There there) {
  constexpr int kPolls = 256;  // checks between two reads of the clock
  for (int poll = 0; poll < kPolls; ++poll)
    if (there()) return true;
  for (const auto start = Clock::now(); Clock::now() - start < patience; std::this_thread::yield())
    for (int poll = 0; poll < kPolls; ++poll)
      if (there()) return true;
  return there();
}

}  // namespace

ThreadTeam::ThreadTeam(int parts, std::function<void(int)> work) : work_(std::move(work)) {
  for (int part = 1; part < parts; ++part) {
    helpers_.push_back(std::make_unique<Helper>());
    Helper& helper = *helpers_.back();
    helper.part = part;
    try {
      helper.thread = guarded_thread(failure_, [this, &helper] { serve(helper); });
    } catch (const std::system_error&) {  // no thread: run() executes the part in the caller's thread
    }
  }
}

ThreadTeam::~ThreadTeam() {
  for (auto& helper : helpers_) {
    helper->state = kEnding;
    helper->state.notify_one();
  }
}

void ThreadTeam::serve(Helper& helper) {
  for (;;) {
    std::uint32_t state = helper.state;
    const auto called = [&] {
      state = helper.state.load(std::memory_order_relaxed);
      return state == kOpen || state == kEnding;
    };
    if (!look_out(kLookout, called)) helper.state.wait(state);
    state = kOpen;
    if (helper.state.compare_exchange_strong(state, kTaken)) {
      failure_.guard([&] { work_(helper.part); });
      state = kTaken;
      helper.state.compare_exchange_strong(state, kDone);
    }
    if (state == kEnding) return;
  }
}

bool ThreadTeam::await(const Helper& helper) {
  const auto done = [&] { return helper.state.load(std::memory_order_acquire) == kDone; };
  if (look_out(kLate, done)) return true;
  while (!done()) std::this_thread::yield();
  return false;
}

void ThreadTeam::run() {
  const bool together = alone_ == 0;
  if (!together) --alone_;
  for (auto& helper : helpers_) {
    if (!together) break;
    helper->state = kOpen;
    helper->state.notify_one();
  }
  const auto own = [this](int part) { failure_.guard([&] { work_(part); }); };
  own(0);
  bool late = false;
  for (auto& helper : helpers_) {
    std::uint32_t state = kOpen;
    if (!together || helper->state.compare_exchange_strong(state, kIdle)) {
      own(helper->part);
      continue;
    }
    if (!await(*helper)) late = true;
    helper->state = kIdle;
    ++helped_;
  }
  if (late) {
    next_ = std::clamp(2 * next_, kFirst, kMost);
    alone_ = next_;
  } else if (together && next_ > 0) {
    --next_;
  }
  failure_.check();
}

}  // namespace weft::sim
