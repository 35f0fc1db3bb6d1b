/// The leaf's side of its connection, for a thread that may block. It costs one descriptor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "host/swarmx/base/progress_watchdog.hpp"
#include "host/swarmx/link/local_payloads.hpp"
#include "host/swarmx/protocol/frame.hpp"

namespace weft::swarmx {

class Wire {
 public:
  /// Takes ownership of the socket `descriptor`. `peer` is the name used in errors. `watchdog`: watchdog of the thread
  /// that uses this, which has no work pending while it waits here for a frame or for room; must outlive this; null:
  /// none.
  Wire(int descriptor, std::string peer, PayloadQueues payloads = {}, ProgressWatchdog* watchdog = nullptr);
  ~Wire();
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  /// Returns the next frame. Throws PeerLost and CorruptFrame.
  Frame read();
  /// Sends a frame. Throws PeerLost.
  void write(const Frame& frame);

 private:
  std::size_t receive(std::span<std::uint8_t> into);
  void fill(std::span<std::uint8_t> bytes);

  int descriptor_;
  std::string peer_;
  PayloadQueues payloads_;
  ProgressWatchdog* watchdog_;
  Bytes read_ahead_;  ///< read ahead: [begin_, end_) are bytes of the next frames
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace weft::swarmx
