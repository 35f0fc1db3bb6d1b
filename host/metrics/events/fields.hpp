/// Writes the fields of a protobuf message: the few kinds that TensorBoard's events need.
///
/// A field is a varint of 8 * number + kind, and its value. Fields may have any order, and those with their default may
/// be omitted.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft::metrics {

class Fields {
 public:
  /// int64, enum or bool, as a varint: seven bits per byte, the lowest first.
  Fields& integer(int number, std::uint64_t value) {
    varint(key(number, 0));
    varint(value);
    return *this;
  }
  Fields& float64(int number, double value) {
    varint(key(number, 1));
    return little_endian(std::bit_cast<std::uint64_t>(value), 8);
  }
  Fields& float32(int number, float value) {
    varint(key(number, 5));
    return little_endian(std::bit_cast<std::uint32_t>(value), 4);
  }
  /// A string, bytes, or an embedded message.
  Fields& bytes(int number, std::string_view value) {
    varint(key(number, 2));
    varint(value.size());
    text_.append(value);
    return *this;
  }
  Fields& message(int number, const Fields& value) { return bytes(number, value.text_); }

  const std::string& text() const { return text_; }

 private:
  static std::uint64_t key(int number, unsigned kind) { return static_cast<std::uint64_t>(number) << 3 | kind; }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_ += static_cast<char>(value | 0x80);
    text_ += static_cast<char>(value);
  }
  Fields& little_endian(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) text_ += static_cast<char>(value >> (8 * i));
    return *this;
  }

  std::string text_;
};

}  // namespace weft::metrics
