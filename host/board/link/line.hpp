/// Transports frames to a board and back. May lose frames.
#pragma once

#include <stdexcept>
#include <string>

#include "host/board/link/sender.hpp"

namespace weft::board {

/// The line itself is gone: unplugged, or closed by its other end.
struct LineGone : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Line {
 public:
  virtual ~Line() = default;
  /// Name for the user, e.g. "/dev/ttyUSB0".
  virtual const std::string& name() const = 0;
  /// Settings for the log; empty if there are none.
  virtual std::string settings() const { return {}; }
  virtual Time now() const { return Clock::now(); }
  /// True if another frame would be sent without a long delay.
  virtual bool ready() const = 0;
  /// Queues a frame (frame.hpp) for sending. Throws LineGone.
  virtual void send(std::span<const std::uint8_t> frame) = 0;
  /// Waits until a frame arrives, the time `until`, or the line becomes ready. Returns true if a frame arrived. Throws
  /// LineGone.
  virtual bool receive(Bytes& frame, Time until) = 0;

  std::uint64_t bytes_down() const { return down_; }  ///< on the line, including all overhead
  std::uint64_t bytes_up() const { return up_; }
  std::uint64_t broken_frames() const { return broken_frames_; }  ///< frames with invalid byte stuffing

 protected:
  std::uint64_t down_ = 0, up_ = 0, broken_frames_ = 0;
};

}  // namespace weft::board
