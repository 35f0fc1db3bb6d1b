#include "host/board/lines/cobs.hpp"

namespace weft::board {
namespace {

constexpr std::uint8_t kFull = 255;  // code for 254 bytes without a following 0

}  // namespace

void stuff(std::span<const std::uint8_t> bytes, Bytes& to) {
  std::size_t code = to.size();
  to.push_back(1);
  for (const std::uint8_t byte : bytes) {
    if (to[code] == kFull) {
      code = to.size();
      to.push_back(1);
    }
    if (byte != 0) {
      to.push_back(byte);
      ++to[code];
    } else {
      code = to.size();
      to.push_back(1);
    }
  }
  to.push_back(0);
}

bool Unstuffer::push(std::uint8_t byte) {
  if (done_) {
    frame_.clear();
    done_ = false;
  }
  if (byte == 0) return end();
  if (left_ == 0) {
    if (zero_) frame_.push_back(0);
    zero_ = byte != kFull;
    left_ = byte - 1U;
    begun_ = true;
  } else {
    frame_.push_back(byte);
    --left_;
  }
  if (frame_.size() > most_) {
    bad_ = true;
    frame_.clear();
  }
  return false;
}

bool Unstuffer::end() {
  const bool whole = begun_ && !bad_ && left_ == 0;
  if (begun_ && !whole) ++broken_frames_;
  if (!whole) frame_.clear();
  left_ = 0;
  zero_ = begun_ = bad_ = false;
  done_ = true;
  return whole;
}

}  // namespace weft::board
