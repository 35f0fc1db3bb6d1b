/// Of a rank of MemoryX: its part of the state on its way to the root, as far as that asks for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/frame.hpp"
#include "host/swarmx/memory/frame_credits.hpp"

namespace weft {

class StateSender {
 public:
  /// `memoryx` must outlive this until close(). `send` may be called from several threads. `pulse` is told what is
  /// owed; null: nobody looks.
  StateSender(MemoryX& memoryx, std::function<void(const Frame&)> send, Pulse* pulse = nullptr)
      : memoryx_(memoryx), send_(std::move(send)), pulse_(pulse) {}

  /// A question: the state as it is, beside what comes after. Throws as MemoryX::snapshot.
  void begin(const Frame& ask);
  /// For so many pieces more, if that is the question being answered. From any thread, as close().
  bool more(const Frame& ask);
  /// Whoever waits to send a piece goes on without.
  void close() noexcept;

 private:
  MemoryX& memoryx_;
  std::function<void(const Frame&)> send_;
  Pulse* pulse_;
  std::mutex mutex_;  // of the rest
  std::uint32_t question_ = 0;
  std::shared_ptr<FrameCredits> credits_;
  bool closed_ = false;
};

}  // namespace weft
