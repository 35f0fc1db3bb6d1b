/// Frames on their way from the thread that streams to the network's: in order, a few at a time, so that neither waits
/// for the other at every frame.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>

#include "host/swarmx/frame.hpp"

namespace weft {

class Outbox {
 public:
  static constexpr std::size_t kFrames = 8;  ///< that may wait

  /// `down` takes one frame after the other, on `executor`.
  using Down = std::function<boost::asio::awaitable<void>(Frame)>;
  Outbox(boost::asio::any_io_executor executor, Down down) : executor_(std::move(executor)), down_(std::move(down)) {}

  /// Returns when there is room. Throws what `down` threw for an earlier frame. Not to be called on the executor's
  /// thread.
  void push(Frame frame);

 private:
  boost::asio::awaitable<void> pump();
  bool next(Frame& frame);

  boost::asio::any_io_executor executor_;
  Down down_;
  std::mutex mutex_;
  std::condition_variable room_;
  std::deque<Frame> frames_;
  bool pumping_ = false;
  std::exception_ptr failure_;
};

}  // namespace weft
