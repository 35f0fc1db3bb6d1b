/// What carries frames to a board and back, and loses some.
#pragma once

#include <stdexcept>
#include <string>

#include "host/board/sender.hpp"

namespace weft::board {

/// The line itself is gone: pulled out, or its other end has closed it.
struct LineGone : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Line {
 public:
  virtual ~Line() = default;
  /// What the user calls it, e.g. "/dev/ttyUSB0".
  virtual const std::string& name() const = 0;
  /// How it is set, for the log; empty if there is nothing to set.
  virtual std::string settings() const { return {}; }
  virtual Time now() const { return Clock::now(); }
  /// Whether another frame would not wait long.
  virtual bool ready() const = 0;
  /// Takes a frame (frame.hpp) to be sent. Throws LineGone.
  virtual void send(std::span<const std::uint8_t> frame) = 0;
  /// Waits until a frame has come, but not longer than `until`, nor when the line has become ready. Whether one came.
  /// Throws LineGone.
  virtual bool receive(Bytes& frame, Time until) = 0;

  std::uint64_t bytes_down() const { return down_; }  ///< on the line, with all that frames need
  std::uint64_t bytes_up() const { return up_; }
  std::uint64_t broken() const { return broken_; }  ///< frames that were not stuffed as frames are

 protected:
  std::uint64_t down_ = 0, up_ = 0, broken_ = 0;
};

}  // namespace weft::board
