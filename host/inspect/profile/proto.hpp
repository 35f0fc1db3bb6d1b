/// Protocol buffers, as far as a Perfetto trace needs them: appends fields to a byte string.
///
/// The wire format is a tag {field number, kind} and a value, so a page of code replaces libprotobuf and a compiler for
/// its schemas. A test reads the result with Perfetto's own classes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::profile {

class Proto {
 public:
  Proto& number(unsigned field, std::uint64_t value) {
    varint(field << 3);
    varint(value);
    return *this;
  }
  Proto& real(unsigned field, double value);
  Proto& text(unsigned field, std::string_view value) {
    varint(field << 3 | 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Proto& message(unsigned field, const Proto& value) { return text(field, value.bytes_); }

  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value > 127; value >>= 7) bytes_ += static_cast<char>(value | 128);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

inline Proto& Proto::real(unsigned field, double value) {
  static_assert(sizeof value == 8);
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, 8);
  varint(field << 3 | 1);
  for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>(bits >> 8 * i);
  return *this;
}

}  // namespace weft::profile
