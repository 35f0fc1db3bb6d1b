/// The host's own arithmetic, as a reference. Call with FlushDenormals in force.
#pragma once

#include <cmath>
#include <cstdint>

#include "sw/base/flushed_float.hpp"
#include "verif/model/numbers/numbers.hpp"

namespace weft::test {

inline FlushedFloat native_value(std::uint32_t bits) { return as_float(bits); }
inline FlushedFloat native_value(bf16 bits) { return as_float(static_cast<std::uint32_t>(bits) << 16); }
inline std::uint32_t native_bits(FlushedFloat value) { return canonical(as_bits(static_cast<float>(value))); }

// noinline, so that the compiler evaluates no part before FlushDenormals is in force.
[[gnu::noinline]] inline std::uint32_t native_fma(bf16 a, bf16 b, std::uint32_t c) {
  const auto fa = static_cast<float>(native_value(a)), fb = static_cast<float>(native_value(b)),
             fc = static_cast<float>(native_value(c));
  const float rounded = std::fma(fa, fb, fc);
  return canonical(as_bits(WEFT_FLUSHES_IN_HARDWARE ? rounded : flushed_fma(fa, fb, fc, rounded)));
}
[[gnu::noinline]] inline std::uint32_t native_add(std::uint32_t x, std::uint32_t c) {
  return native_bits(native_value(x) + native_value(c));
}
[[gnu::noinline]] inline std::uint32_t native_max(std::uint32_t x, std::uint32_t c) {
  const FlushedFloat fx = native_value(x), fc = native_value(c);
  if (is_nan(x) || is_nan(c)) return kNan;
  return native_bits(fx > fc ? fx : fc);
}
[[gnu::noinline]] inline std::uint32_t native_ge(std::uint32_t x, std::uint32_t c) {
  return native_value(x) >= native_value(c) ? kOne : 0;
}
[[gnu::noinline]] inline std::uint32_t native_mul(bf16 a, bf16 b) {
  return native_bits(native_value(a) * native_value(b));
}

}  // namespace weft::test
