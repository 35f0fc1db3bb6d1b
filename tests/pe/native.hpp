/// The host's own arithmetic, as a reference. Call with FlushDenormals in force.
#pragma once

#include <cmath>
#include <cstdint>

#include "verif/model/numbers/numbers.hpp"

namespace weft::test {

// noinline, so that the compiler evaluates no part before FlushDenormals is in force.
[[gnu::noinline]] inline std::uint32_t native_fma(bf16 a, bf16 b, std::uint32_t c) {
  const float fa = as_float(static_cast<std::uint32_t>(a) << 16), fb = as_float(static_cast<std::uint32_t>(b) << 16);
  return canonical(as_bits(std::fma(fa, fb, as_float(c))));
}
[[gnu::noinline]] inline std::uint32_t native_add(std::uint32_t x, std::uint32_t c) {
  return canonical(as_bits(as_float(x) + as_float(c)));
}
[[gnu::noinline]] inline std::uint32_t native_max(std::uint32_t x, std::uint32_t c) {
  const float fx = as_float(x), fc = as_float(c);
  if (fx != fx || fc != fc) return kNan;
  return flush(as_bits(fx > fc ? fx : fc));
}
[[gnu::noinline]] inline std::uint32_t native_ge(std::uint32_t x, std::uint32_t c) {
  return as_float(x) >= as_float(c) ? kOne : 0;
}
[[gnu::noinline]] inline std::uint32_t native_mul(bf16 a, bf16 b) {
  const float fa = as_float(static_cast<std::uint32_t>(a) << 16), fb = as_float(static_cast<std::uint32_t>(b) << 16);
  return canonical(as_bits(fa * fb));
}

}  // namespace weft::test
