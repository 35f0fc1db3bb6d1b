#include "host/checkpoint/convert.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace weft {
namespace {

/// IEEE 754 binary16: a sign, 5 bits of exponent, 10 of fraction.
float from_half(std::uint16_t half) {
  const int exponent = half >> 10 & 31;
  const std::uint32_t sign = std::uint32_t{half} >> 15 << 31, fraction = half & 0x3FFU;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000U | fraction << 13);
  const float size = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                   : std::ldexp(static_cast<float>(fraction | 0x400U), exponent - 25);
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(size));
}

}  // namespace

bool is_float(Dtype dtype) { return dtype == Dtype::F32 || dtype == Dtype::F16 || dtype == Dtype::BF16; }

void to_float(Dtype dtype, std::span<const std::uint8_t> bytes, std::span<float> out) {
  if (dtype == Dtype::F32) {
    if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size_bytes());
    return;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::uint16_t word = 0;
    std::memcpy(&word, bytes.data() + 2 * i, 2);
    out[i] = dtype == Dtype::F16 ? from_half(word) : std::bit_cast<float>(std::uint32_t{word} << 16);
  }
}

}  // namespace weft
