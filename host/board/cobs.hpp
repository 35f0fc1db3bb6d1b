/// Consistent overhead byte stuffing: frames on a line of bytes, with 0 as the end of each.
#pragma once

#include <optional>

#include "host/board/bytes.hpp"

namespace weft::board {

/// `bytes` without a 0, and a 0 behind them. At most 1 byte in 254 more, and 2.
void stuff(std::span<const std::uint8_t> bytes, Bytes& to);

/// Finds the frames again, whatever is between them.
class Unstuffer {
 public:
  /// `most`: bytes of a frame; what is longer is noise.
  explicit Unstuffer(std::size_t most) : most_(most) {}

  /// The next byte of the line. True: it ended a frame, which `frame` has until the next byte. Nothing between two 0s
  /// is no frame; what no sender stuffs so is none either, and counted.
  bool put(std::uint8_t byte);
  const Bytes& frame() const { return frame_; }
  std::uint64_t broken() const { return broken_; }

 private:
  bool end();

  std::size_t most_;
  Bytes frame_;
  std::size_t left_ = 0;  // bytes until the next code
  bool zero_ = false;     // before the next block
  bool begun_ = false, bad_ = false, done_ = false;
  std::uint64_t broken_ = 0;
};

}  // namespace weft::board
