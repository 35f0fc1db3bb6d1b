/// Sender of a MemoryX rank's part of the state to the root, as much as that has requested.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/memory/frame_credits.hpp"
#include "host/swarmx/protocol/frame.hpp"

namespace weft::swarmx {

class StateSender {
 public:
  /// `memoryx` must outlive this until close(). `send` may be called from several threads. `watchdog` has work pending
  /// while a request does; may be null.
  StateSender(memoryx::MemoryX& memoryx, std::function<void(const Frame&)> send, ProgressWatchdog* watchdog = nullptr)
      : memoryx_(memoryx), send_(std::move(send)), watchdog_(watchdog) {}

  /// Answers a request with the present state, concurrently with what follows. Throws as MemoryX::snapshot.
  void begin(const Frame& ask);
  /// Allows more chunks, if this request is being answered; otherwise returns false. From any thread, as close().
  bool request_more(const Frame& ask);
  /// Releases threads that wait to send a chunk, which is not sent.
  void close() noexcept;

 private:
  memoryx::MemoryX& memoryx_;
  std::function<void(const Frame&)> send_;
  ProgressWatchdog* watchdog_;
  std::mutex mutex_;  // guards the rest
  std::uint32_t request_ = 0;
  std::shared_ptr<FrameCredits> credits_;
  bool closed_ = false;
};

}  // namespace weft::swarmx
