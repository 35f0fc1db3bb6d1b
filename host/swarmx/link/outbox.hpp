/// Bounded queue of frames from the streaming thread to the network's thread, in order. It has room for several, so
/// that neither thread waits for the other at every frame.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <deque>
#include <functional>

#include "host/swarmx/base/cancellable_wait.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/protocol/times.hpp"

namespace weft::swarmx {

class Outbox {
 public:
  static constexpr std::size_t kFrames = 8;  ///< capacity

  /// `down` takes one frame after the other, on `executor`; its exceptions fail the run, whose `wake` must call `wake`
  /// of this object. `clock` records how long there was no room; may be null.
  using Down = std::function<boost::asio::awaitable<void>(Frame)>;
  Outbox(boost::asio::any_io_executor executor, FirstFailure& run, Down down, StepClock* clock = nullptr)
      : executor_(std::move(executor)), run_(run), down_(std::move(down)), clock_(clock), waiting_(run) {}

  /// Appends a frame once there is room. Throws the run's failure. Must not be called on the executor's thread.
  void push(Frame frame);
  void wake() noexcept { waiting_.wake(); }

 private:
  boost::asio::awaitable<void> pump();
  bool next(Frame& frame);

  boost::asio::any_io_executor executor_;
  FirstFailure& run_;
  Down down_;
  StepClock* clock_;
  CancellableWait waiting_;
  std::deque<Frame> frames_;
  bool pumping_ = false;
};

}  // namespace weft::swarmx
