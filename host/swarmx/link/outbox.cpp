#include "host/swarmx/link/outbox.hpp"

#include <boost/asio/co_spawn.hpp>
#include <utility>

namespace weft::swarmx {

void Outbox::push(Frame frame) {
  std::unique_lock lock(waiting_.mutex);
  const auto room = [this] { return frames_.size() < kFrames; };
  if (room()) {
    run_.check();
  } else {
    const StepClock::In waits(clock_, Part::Room);
    waiting_.until(lock, room);
  }
  frames_.push_back(std::move(frame));
  if (std::exchange(pumping_, true)) return;
  lock.unlock();
  boost::asio::co_spawn(executor_, pump(), run_.ending());
}

/// Takes the oldest frame. False: there is none, and the next push starts a new pump.
bool Outbox::next(Frame& frame) {
  const std::lock_guard lock(waiting_.mutex);
  pumping_ = !frames_.empty();
  if (!pumping_) return false;
  frame = std::move(frames_.front());
  frames_.pop_front();
  waiting_.notify();
  return true;
}

boost::asio::awaitable<void> Outbox::pump() {
  Frame frame;
  while (next(frame)) co_await down_(std::move(frame));
}

}  // namespace weft::swarmx
