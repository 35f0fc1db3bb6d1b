/// bf16 and fp32 as on the wafer (docs/reference/numbers.md). C++ rounds to bf16 with these functions only, except for
/// the functional model, which has the same rounding for vectors (verif/model/numbers/simd.hpp).
#pragma once

#include <bit>
#include <cstdint>

namespace weft {

using bf16 = std::uint16_t;

inline constexpr std::uint32_t kNan = 0x7fc00000;
inline constexpr bf16 kNanBf16 = 0x7fc0;
inline constexpr std::uint32_t kOne = 0x3f800000;
inline constexpr bf16 kOneBf16 = 0x3f80;

constexpr float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
constexpr std::uint32_t as_bits(float value) { return std::bit_cast<std::uint32_t>(value); }

constexpr bool is_nan(std::uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

/// Flushes a subnormal to zero of its sign.
constexpr std::uint32_t flush(std::uint32_t bits) { return bits & 0x7f800000 ? bits : bits & 0x80000000; }

/// Flushes subnormals and makes NaN canonical; applied to every arithmetic result.
constexpr std::uint32_t canonical(std::uint32_t bits) { return is_nan(bits) ? kNan : flush(bits); }

/// fp32 to bf16: flush, round to nearest even, overflow to infinity. Branch-free, so that loops over it vectorize.
constexpr bf16 to_bf16(std::uint32_t bits) {
  const std::uint32_t flushed = flush(bits), rounded = (flushed + 0x7fff + (flushed >> 16 & 1)) >> 16;
  return static_cast<bf16>(is_nan(bits) ? kNanBf16 : rounded);
}

/// bf16 to fp32: flushed, NaN canonical.
constexpr std::uint32_t widen(bf16 x) { return canonical(static_cast<std::uint32_t>(x) << 16); }

/// The bf16 nearest to x, rounded once: ties to even, results below the normal range to zero of their sign, overflow to
/// infinity.
bf16 nearest_bf16(double x);

}  // namespace weft
