/// Reads and writes little-endian numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::board {

using Bytes = std::vector<std::uint8_t>;

template <class Number>
void append(Bytes& to, Number value) {
  for (std::size_t i = 0; i < sizeof value; ++i)
    to.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> 8 * i));
}

/// Reads untrusted bytes: reads past the end yield 0 and clear good().
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <class Number>
  Number take() {
    const auto from = take_bytes(sizeof(Number));
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < from.size(); ++i) value |= std::uint64_t{from[i]} << 8 * i;
    return static_cast<Number>(value);
  }
  /// The next `count` bytes; an empty span if there are fewer.
  std::span<const std::uint8_t> take_bytes(std::size_t count) {
    if (bytes_.size() < count) {
      good_ = false;
      bytes_ = {};
      return {};
    }
    const auto head = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return head;
  }
  std::size_t left() const { return bytes_.size(); }
  /// True if no read went past the end.
  bool good() const { return good_; }

 private:
  std::span<const std::uint8_t> bytes_;
  bool good_ = true;
};

}  // namespace weft::board
