/// Frames on their way from the thread that streams to the network's: in order, a few at a time, so that neither waits
/// for the other at every frame.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <deque>
#include <functional>

#include "host/swarmx/frame.hpp"
#include "host/swarmx/times.hpp"
#include "host/swarmx/waiting.hpp"

namespace weft {

class Outbox {
 public:
  static constexpr std::size_t kFrames = 8;  ///< that may wait

  /// `down` takes one frame after the other, on `executor`; what it throws fails the run, whose `wake` calls ours.
  /// `clock` hears how long there was no room; null: nobody.
  using Down = std::function<boost::asio::awaitable<void>(Frame)>;
  Outbox(boost::asio::any_io_executor executor, FirstFailure& run, Down down, StepClock* clock = nullptr)
      : executor_(std::move(executor)), run_(run), down_(std::move(down)), clock_(clock), waiting_(run) {}

  /// Returns when there is room. Throws the run's failure. Not to be called on the executor's thread.
  void push(Frame frame);
  void wake() noexcept { waiting_.wake(); }

 private:
  boost::asio::awaitable<void> pump();
  bool next(Frame& frame);

  boost::asio::any_io_executor executor_;
  FirstFailure& run_;
  Down down_;
  StepClock* clock_;
  Waiting waiting_;
  std::deque<Frame> frames_;
  bool pumping_ = false;
};

}  // namespace weft
