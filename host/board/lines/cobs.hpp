/// Consistent overhead byte stuffing: delimits frames on a byte stream, with a 0 at the end of each.
#pragma once

#include <optional>

#include "host/board/link/bytes.hpp"

namespace weft::board {

/// Appends `bytes`, encoded without 0, and a final 0. The overhead is at most 1 byte for every 254 bytes, plus 2 bytes.
void stuff(std::span<const std::uint8_t> bytes, Bytes& to);

/// Recovers the frames, whatever is between them.
class Unstuffer {
 public:
  /// `most`: maximum bytes of a frame; longer ones are discarded.
  explicit Unstuffer(std::size_t most) : most_(most) {}

  /// Processes the next byte of the line. Returns true if the byte ended a frame, which frame() holds until the next
  /// call. Two consecutive 0s contain no frame. Invalid encodings are discarded and counted.
  bool push(std::uint8_t byte);
  const Bytes& frame() const { return frame_; }
  std::uint64_t broken_frames() const { return broken_frames_; }

 private:
  bool end();

  std::size_t most_;
  Bytes frame_;
  std::size_t left_ = 0;  // bytes until the next code
  bool zero_ = false;     // a 0 precedes the next block
  bool begun_ = false, bad_ = false, done_ = false;
  std::uint64_t broken_frames_ = 0;
};

}  // namespace weft::board
