/// Payloads of a connection within a process, which are passed by pointer: its socket carries only their headers.
///
/// Payloads are not copied, and cannot be damaged in transit. The socket still provides flow control, and shows when
/// the other side is gone.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "host/swarmx/protocol/frame.hpp"

namespace weft::swarmx {

/// One direction. A payload is pushed before its header is sent, so the receiver of a header always finds it.
class LocalPayloads {
 public:
  void push(std::shared_ptr<const Bytes> payload) {
    const std::lock_guard lock(mutex_);
    payloads_.push_back(std::move(payload));
  }
  /// Returns `header`'s frame with its payload.
  Frame take(Header header);

 private:
  std::mutex mutex_;
  std::deque<std::shared_ptr<const Bytes>> payloads_;
};

/// One side of a connection; null pointers: payloads are in the socket, with a checksum.
struct PayloadQueues {
  std::shared_ptr<LocalPayloads> in, out;

  PayloadQueues other() const { return {out, in}; }
  static PayloadQueues make() { return {std::make_shared<LocalPayloads>(), std::make_shared<LocalPayloads>()}; }
};

/// Sets the smallest send buffer that the system allows, since it bounds the frames in flight: a payload waits only
/// while its header waits in the socket.
void few_headers(int socket) noexcept;

}  // namespace weft::swarmx
