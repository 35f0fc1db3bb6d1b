/// Payloads of a connection within a process, which go from hand to hand: its socket carries their headers alone.
///
/// Nothing is copied, and nothing can be damaged on the way. The socket still says who waits, and when the other side
/// is gone.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "host/swarmx/frame.hpp"

namespace weft {

/// One direction. A payload is pushed before its header is sent, so whoever has the header finds it.
class Handover {
 public:
  void push(std::shared_ptr<const Bytes> payload) {
    const std::lock_guard lock(mutex_);
    payloads_.push_back(std::move(payload));
  }
  /// `header`'s frame, with its payload.
  Frame take(Header header);

 private:
  std::mutex mutex_;
  std::deque<std::shared_ptr<const Bytes>> payloads_;
};

/// One side of a connection; null: payloads are in the socket, with a checksum.
struct Hands {
  std::shared_ptr<Handover> in, out;

  Hands other() const { return {out, in}; }
  static Hands make() { return {std::make_shared<Handover>(), std::make_shared<Handover>()}; }
};

/// Gives one side's socket as little room as the system allows: the frames whose headers wait in it are all that waits
/// beside it.
void few_headers(int socket) noexcept;

}  // namespace weft
