/// The root between its two threads: the one that streams asks what is next, the one that receives gives what came.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "host/swarmx/members.hpp"
#include "host/swarmx/memory/memory.hpp"
#include "host/swarmx/root.hpp"
#include "host/swarmx/times.hpp"
#include "host/swarmx/waiting.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

struct CollectOptions {
  std::size_t wafers = 1;      ///< that are to come
  std::size_t min_wafers = 1;  ///< without which nothing goes on
  std::chrono::milliseconds timeout{30000};
  DispatchOptions dispatch = {};
  /// Told, in the thread that waits, that wafers are waited for and for how long at most; nothing: no longer, though
  /// some are missing. Null: nobody wants to know.
  std::function<void(std::optional<std::chrono::milliseconds> most)> waits = {};
  std::function<bool()> leave = {};  ///< SwarmOptions'
  StepClock* clock = nullptr;        ///< of who calls next(): told when that is for wafers to come; null: nobody
};

class Collect {
 public:
  /// `run`'s `wake` must call ours. `too_few`: what to say if wafers are missing.
  Collect(const Plan& plan, const FirstFailure& run, CollectOptions options, std::function<std::string()> too_few)
      : options_(std::move(options)), too_few_(std::move(too_few)), waiting_(run), root_(plan, options_.dispatch) {}

  /// A seat is there.
  void join(std::uint32_t seat);
  /// A step begins; gradients go to `memory` (null: evaluation). Throws the run's failure.
  void begin(std::uint64_t step, bool train, std::uint32_t micro_batches, Memory* memory);
  /// Takes what comes up, in the receiving thread. Throws as Root::take, and what MemoryX throws.
  void add(const Frame& frame);
  /// Waits for the next thing to be done; nothing: the step is complete. Throws the run's failure, PeerLost if there
  /// are too few wafers for too long, and WaitEnded.
  std::optional<Root::Next> next();
  /// The step is over, whatever has become of it: `memory` is not used any more. Waits while something is added.
  void end() noexcept;
  /// Of the step that is complete.
  Collected sum() const;
  /// So long, since it was last asked, next() waited while a contribution was added.
  StepClock::Duration take_reduced();
  /// Adds what seats do to what is known of them.
  void look(std::span<Members::Member> members) const;
  void wake() noexcept { waiting_.wake(); }

 private:
  using Clock = std::chrono::steady_clock;
  void tell(const Frame& frame) noexcept;
  void reduced(Clock::time_point begin) noexcept;
  void wait_for_wafers(std::unique_lock<std::mutex>& lock);
  void say_waits(std::unique_lock<std::mutex>& lock, std::optional<std::chrono::milliseconds> most);

  CollectOptions options_;
  std::function<std::string()> too_few_;
  mutable Waiting waiting_;                // its mutex guards all below
  bool all_came_ = false;                  // the first time, all are waited for
  Memory* memory_ = nullptr;               // null as well: no step is under way
  bool adding_ = false;                    // a contribution is on its way into MemoryX
  std::vector<std::int64_t> fixed_;        // its values: of the receiving thread alone
  std::condition_variable added_;          // it is not any more
  std::optional<Clock::time_point> idle_;  // next() has waited since then
  StepClock::Duration reduced_{0};
  Root root_;
};

}  // namespace weft
