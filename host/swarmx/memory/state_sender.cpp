#include "host/swarmx/memory/state_sender.hpp"

#include "host/swarmx/protocol/payload.hpp"

namespace weft::swarmx {

void StateSender::begin(const Frame& ask) {
  const auto credits = std::make_shared<FrameCredits>(ask.contains, watchdog_);
  {
    const std::lock_guard lock(mutex_);
    request_ = ask.pass;
    credits_ = credits;
    if (closed_) credits_->close();
  }
  memoryx_.snapshot(
      [this, credits, pass = ask.pass](int vector, std::uint64_t first, std::span<const float> values) {
        if (!credits->take()) return;
        Frame chunk{.type = FrameType::State, .step = first, .pass = pass, .op = static_cast<std::uint32_t>(vector)};
        send_(chunk.carry(encode_numbers(values)));
      },
      [this, credits, pass = ask.pass] {
        send_({.type = FrameType::State, .pass = pass});
        credits->close();  // all that was requested is sent
      });
}

bool StateSender::request_more(const Frame& ask) {
  const std::lock_guard lock(mutex_);
  if (ask.pass != request_) return false;
  credits_->add(ask.contains);
  return true;
}

void StateSender::close() noexcept {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  if (credits_) credits_->close();
}

}  // namespace weft::swarmx
