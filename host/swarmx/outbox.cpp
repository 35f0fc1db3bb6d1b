#include "host/swarmx/outbox.hpp"

#include <boost/asio/co_spawn.hpp>
#include <utility>

namespace weft {

void Outbox::push(Frame frame) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [this] { return frames_.size() < kFrames || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  frames_.push_back(std::move(frame));
  if (std::exchange(pumping_, true)) return;
  lock.unlock();
  boost::asio::co_spawn(executor_, pump(), [this](std::exception_ptr failure) {
    if (!failure) return;
    const std::lock_guard failed(mutex_);
    failure_ = std::move(failure);
    room_.notify_all();
  });
}

/// The oldest frame. False: there is none, and the next push starts a new pump.
bool Outbox::next(Frame& frame) {
  const std::lock_guard lock(mutex_);
  pumping_ = !frames_.empty();
  if (!pumping_) return false;
  frame = std::move(frames_.front());
  frames_.pop_front();
  room_.notify_all();
  return true;
}

boost::asio::awaitable<void> Outbox::pump() {
  Frame frame;
  while (next(frame)) co_await down_(std::move(frame));
}

}  // namespace weft
