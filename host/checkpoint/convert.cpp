#include "host/checkpoint/convert.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace weft::checkpoint {
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

constexpr std::uint16_t kHalfInfinity = 0x7C00, kBfloatInfinity = 0x7F80;

std::uint16_t to_bfloat(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
}

std::uint16_t to_half(float value) {
  const auto sign = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16 & 0x8000U);
  const float size = std::fabs(value);
  constexpr float kBeyond = 65520;                     // half a last place above the largest
  if (!(size < kBeyond)) return sign | kHalfInfinity;  // includes NaN
  // A half is a multiple of 2^-24, or of 2^-10 of its power of two. The exponent is increased by 1 per 1024 units, so
  // rounding up to 2048 units carries into the exponent.
  const int exponent = std::max(size == 0 ? -24 : std::ilogb(size) - 10, -24);
  const auto places = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(size, -exponent)));
  return static_cast<std::uint16_t>(sign | ((static_cast<std::uint32_t>(exponent + 24) << 10) + places));
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

std::optional<std::size_t> from_float(Dtype dtype, std::span<const float> values, std::span<std::uint8_t> bytes) {
  if (dtype == Dtype::F32) {
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), values.size_bytes());
    return std::nullopt;
  }
  const bool half = dtype == Dtype::F16;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint16_t word = half ? to_half(values[i]) : to_bfloat(values[i]);
    if (!std::isfinite(values[i]) || (word & 0x7FFFU) >= (half ? kHalfInfinity : kBfloatInfinity)) return i;
    std::memcpy(bytes.data() + 2 * i, &word, 2);
  }
  return std::nullopt;
}

}  // namespace weft::checkpoint
