/// Lazy deadline of work that is done many times a second: to begin and to end it only reads the clock. The timer
/// checks, when it expires, whether the deadline was extended meanwhile.
#pragma once

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace weft::swarmx {

/// Belongs to one thread's executor. A timer may remain for kCheckInterval after all work has ended; `cancel` ends it
/// at once.
class LazyDeadline : public std::enable_shared_from_this<LazyDeadline> {
 public:
  using Clock = std::chrono::steady_clock;
  /// `expired` is called once when work has taken longer than its time.
  explicit LazyDeadline(std::function<void()> expired) : expired_(std::move(expired)) {}

  /// Begins work that may take `time`.
  void begin(const boost::asio::any_io_executor& executor, std::chrono::milliseconds time) {
    until_ = Clock::now() + time;
    works_ = true;
    if (waits_) return;
    if (!timer_) timer_.emplace(executor);
    wait();
  }
  void end() { works_ = false; }
  static constexpr std::chrono::milliseconds kCheckInterval{500};  ///< maximum interval of the timer's checks
  void cancel() {
    works_ = false;
    if (timer_) timer_->cancel();
  }

 private:
  void wait() {
    waits_ = true;
    timer_->expires_at(std::min(until_, Clock::now() + kCheckInterval));
    timer_->async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
      const auto self = weak.lock();
      if (self) self->check(static_cast<bool>(error));
    });
  }
  void check(bool cancelled) {
    waits_ = false;
    if (!works_) return;
    if (cancelled || Clock::now() < until_) return wait();
    works_ = false;
    expired_();
  }

  std::function<void()> expired_;
  std::optional<boost::asio::steady_timer> timer_;
  Clock::time_point until_{};
  bool works_ = false, waits_ = false;  // waits_: the timer runs
};

}  // namespace weft::swarmx
