/// Division of a step's time.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace weft::swarmx {

/// Activities of the streaming thread.
enum class Part : std::uint8_t {
  Rest,     ///< none of the others, such as writing the log line of the previous step
  Stream,   ///< makes frames: fetches samples, reads, rounds and packs weights
  Room,     ///< waits for room on the way down: back pressure
  Compute,  ///< waits for results of wafers
  Wait,     ///< waits for wafers to join
  Reduce,   ///< waits as in Compute or Wait, while the root adds a contribution
  Update,   ///< waits for an update of weights
};
inline constexpr std::size_t kParts = 7;

/// Seconds by Part.
struct StepTimes {
  std::array<double, kParts> seconds{};

  double operator[](Part part) const { return seconds[static_cast<std::size_t>(part)]; }
  /// Returns the sum of all parts.
  double sum() const;
};
StepTimes operator+(const StepTimes& a, const StepTimes& b);

/// Assigns time to parts: each moment to exactly one, so that their sum is the elapsed time. For one thread, except
/// `now`.
class StepClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;
  explicit StepClock(std::function<Time()> now = std::chrono::steady_clock::now) : time_(std::move(now)) {}

  /// Assigns time to `part` while this lives, then to the previous part again.
  class In {
   public:
    /// `clock` may be null.
    In(StepClock* clock, Part part) : clock_(clock), before_(clock ? clock->switch_to(part) : part) {}
    ~In() {
      if (clock_) clock_->switch_to(before_);
    }
    In(const In&) = delete;
    In& operator=(const In&) = delete;

   private:
    StepClock* clock_;
    Part before_;
  };

  /// Moves `time` from Compute, then from Wait, to Reduce, as another thread has measured; at most all of both.
  void reduced(Duration time);
  /// Returns the times since the last call, or since construction.
  StepTimes take();
  /// Returns the present part. From any thread.
  Part now() const { return part_.load(std::memory_order_relaxed); }

 private:
  Part switch_to(Part part);
  void account();

  std::function<Time()> time_;
  Time since_ = time_();
  std::atomic<Part> part_ = Part::Rest;
  std::array<Duration, kParts> spent_{};
};

}  // namespace weft::swarmx
