/// Where the time of a step goes.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace weft {

/// What the thread that streams is at.
enum class Part : std::uint8_t {
  Rest,     ///< none of the others, as writing the line of the step before
  Stream,   ///< makes frames: fetches samples, reads, rounds and packs weights
  Room,     ///< waits for room on the way down: back pressure
  Compute,  ///< waits for what wafers have under way
  Wait,     ///< waits for wafers to come
  Reduce,   ///< waits like these while the root adds what came
  Update,   ///< waits for an update of weights
};
inline constexpr std::size_t kParts = 7;

/// Seconds, [Part].
struct StepTimes {
  std::array<double, kParts> seconds{};

  double operator[](Part part) const { return seconds[static_cast<std::size_t>(part)]; }
  /// Of all.
  double sum() const;
};
StepTimes operator+(const StepTimes& a, const StepTimes& b);

/// Deals time to parts: at each moment to exactly one, so their sum is the time that has passed. Of one thread, but for
/// `now`.
class StepClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;
  explicit StepClock(std::function<Time()> now = std::chrono::steady_clock::now) : time_(std::move(now)) {}

  /// As long as it is there, time is `part`'s; then it goes on with the one before.
  class In {
   public:
    /// Null: nobody wants to know.
    In(StepClock* clock, Part part) : clock_(clock), before_(clock ? clock->turn(part) : part) {}
    ~In() {
      if (clock_) clock_->turn(before_);
    }
    In(const In&) = delete;
    In& operator=(const In&) = delete;

   private:
    StepClock* clock_;
    Part before_;
  };

  /// So much of what was Compute, or else Wait, was Reduce, as another thread has found: at most all of it.
  void reduced(Duration time);
  /// Since it was last taken, or since the clock was made.
  StepTimes take();
  /// What it is at. From any thread.
  Part now() const { return part_.load(std::memory_order_relaxed); }

 private:
  Part turn(Part part);
  void deal();

  std::function<Time()> time_;
  Time since_ = time_();
  std::atomic<Part> part_ = Part::Rest;
  std::array<Duration, kParts> dealt_{};
};

}  // namespace weft
