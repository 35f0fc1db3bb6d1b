#include "host/board/wafer/unpacker.hpp"

namespace weft::board {

bool Unpacker::unpack(std::span<const std::uint8_t> bytes, std::vector<std::vector<std::uint32_t>>& outlets) {
  for (const std::uint8_t byte : bytes) {
    if (left_ == 0) {
      row_ = byte >> 4;
      if (row_ >= rows_) return false;
      left_ = (byte & 15) + 1;
      continue;
    }
    word_ = (have_ == 0 ? 0 : word_) | static_cast<std::uint32_t>(byte) << 8 * have_;
    if (++have_ < 4) continue;
    outlets[static_cast<std::size_t>(row_)].push_back(word_);
    ++words_;
    have_ = 0;
    --left_;
  }
  return true;
}

}  // namespace weft::board
