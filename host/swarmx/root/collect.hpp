/// State that the root's three threads share: the streaming thread asks for the next tasks, the network's thread takes
/// what arrives, and a third one adds gradients to MemoryX, which may wait for a disk or for another rank.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/swarmx/base/cancellable_wait.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/protocol/memoryx_client.hpp"
#include "host/swarmx/protocol/times.hpp"
#include "host/swarmx/tree/members.hpp"
#include "host/swarmx/tree/root.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

struct CollectOptions {
  std::size_t wafers = 1;                    ///< expected
  std::size_t min_wafers = 1;                ///< required for the run to continue
  std::chrono::milliseconds timeout{30000};  ///< the default is for tests; runs use swarmx.timeout
  DispatchOptions dispatch = {};
  /// Called by the waiting thread when it starts to wait for wafers, with the maximum time; with nothing when the run
  /// continues although some are missing. May be null.
  std::function<void(std::optional<std::chrono::milliseconds> most)> waits = {};
  std::function<bool()> leave = {};  ///< as in SwarmOptions
  /// Called by the waiting thread with a member that is to be disconnected; may be null.
  std::function<void(std::uint32_t member_id)> disconnect = {};
  StepClock* clock = nullptr;  ///< clock of next()'s caller; records waits for wafers to join; may be null
};

class Collect {
 public:
  /// `run`'s `wake` must call `wake` of this object. `too_few` returns the error text if wafers are missing.
  Collect(const compiler::Plan& plan, const FirstFailure& run, CollectOptions options,
          std::function<std::string()> too_few)
      : options_(std::move(options)), too_few_(std::move(too_few)), waiting_(run), root_(plan, options_.dispatch) {}

  /// Adds a member.
  void join(std::uint32_t member_id);
  /// Begins a step whose gradients go to `memory` (null: evaluation). Throws the run's failure.
  void begin(std::uint64_t step, bool train, std::uint32_t micro_batches, MemoryXClient* memory);
  /// A gradient that MemoryX does not have yet. The step does not end before it is destroyed.
  class Pending {
   public:
    Pending(Collect& collect, MemoryXClient& memory, const Frame& frame, Contribution contribution)
        : collect_(&collect), memory_(&memory), frame_(frame), contribution_(std::move(contribution)) {}
    Pending(Pending&& other) noexcept
        : collect_(std::exchange(other.collect_, nullptr)),
          memory_(other.memory_),
          frame_(std::move(other.frame_)),
          contribution_(std::move(other.contribution_)) {}
    Pending& operator=(Pending&&) = delete;
    ~Pending() {
      if (collect_ != nullptr) collect_->added();
    }
    /// Adds the gradient, in any thread. Throws what MemoryX throws.
    void add() {
      memory_->add(frame_.op, std::size_t{frame_.part} * kPartValues, contribution_.fixed(collect_->fixed_));
    }

   private:
    Collect* collect_;  // null: moved from
    MemoryXClient* memory_;
    Frame frame_;
    Contribution contribution_;
  };
  /// Takes a frame sent up by the tree, in the network's thread, without waiting for anything. Returns a gradient that
  /// is to be added before the next frame is taken. Throws as Root::handle.
  std::optional<Pending> take(const Frame& frame);
  /// Notes that the Stats of micro-batches have arrived.
  void returned(std::uint32_t pass, std::span<const std::uint32_t> micro_batches);
  /// Sets whether slow members get trials.
  void set_trials(bool trials);
  /// Waits for the next thing to do; nothing: the step is complete. Throws the run's failure, PeerLost if there are too
  /// few wafers for too long, and WaitEnded.
  std::optional<Root::Next> next();
  /// Ends the step, whatever its outcome: `memory` is not used afterwards. Waits while a contribution is being added.
  void end() noexcept;
  /// Returns the sums of a complete step.
  Collected sum() const;
  /// Returns how long next() waited while contributions were added, since the last call.
  StepClock::Duration take_reduced();
  /// Adds the present activity of each member, as Root::add_activity.
  void add_activity(std::span<Members::Member> members, bool early = false);
  void wake() noexcept { waiting_.wake(); }

 private:
  using Clock = std::chrono::steady_clock;
  /// True if everything of the step has arrived and is added. Requires the mutex.
  bool done() const { return root_.complete() && !adding_; }
  void added() noexcept;
  void notify_after(const Frame& frame) noexcept;
  void reduced(Clock::time_point begin) noexcept;
  void wait_for_wafers(std::unique_lock<std::mutex>& lock);
  void disconnect(std::unique_lock<std::mutex>& lock);
  void say_waits(std::unique_lock<std::mutex>& lock, std::optional<std::chrono::milliseconds> most);

  CollectOptions options_;
  std::function<std::string()> too_few_;
  mutable CancellableWait waiting_;        // its mutex guards all below
  bool all_joined_ = false;                // set by the first wait, which is for all wafers
  MemoryXClient* memory_ = nullptr;        // null also while no step is under way
  bool adding_ = false;                    // a contribution is being added to MemoryX
  Clock::time_point taken_;                // when that contribution was taken
  std::vector<std::int64_t> fixed_;        // values of that contribution; used by the thread that adds it
  std::condition_variable added_;          // signaled when adding_ becomes false
  std::optional<Clock::time_point> idle_;  // since when next() has been waiting
  StepClock::Duration reduced_{0};
  Root root_;
};

}  // namespace weft::swarmx
