/// Arithmetic on floats that counts subnormals as zero of their sign (docs/reference/numbers.md), on any CPU.
///
/// x86 does so in hardware (FTZ and DAZ), after rounding. Other CPUs flush before rounding (Arm), which gives other
/// bits just below the normal range, or never; there, this header computes in IEEE 754's default mode and flushes in
/// software. The compiler definition WEFT_PORTABLE chooses the software on x86, too: tests compare both.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sw/base/bf16.hpp"
#include "sw/base/exact_math.hpp"

#if defined(__x86_64__) && !defined(WEFT_PORTABLE)
#define WEFT_FLUSHES_IN_HARDWARE 1
#include <xmmintrin.h>
#else
#define WEFT_FLUSHES_IN_HARDWARE 0
#endif

namespace weft {

static_assert(std::endian::native == std::endian::little, "words and their halves are read as little-endian bytes");
static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);

/// The control register that has the CPU's modes of rounding and flushing.
class FloatMode {
 public:
#if WEFT_FLUSHES_IN_HARDWARE
  static constexpr unsigned kFlush = 0x8040;  ///< FTZ and DAZ of MXCSR
  static constexpr unsigned kDefault = 0x1f80;
  static unsigned get() { return _mm_getcsr(); }
  static void set(unsigned value) { _mm_setcsr(value); }
#else
  static constexpr unsigned kFlush = 0, kDefault = 0;
  static unsigned get() { return kDefault; }
  static void set(unsigned) {}
#endif
};

/// The float nearest to x, flushed after rounding.
inline float flushed(double x) {
  // Half an ulp below the smallest normal number: from here on, 24 bits round up to it.
  constexpr double kLeast = 0x1p-126 - 0x1p-151;
  return std::fabs(x) < kLeast ? std::copysign(0.0F, static_cast<float>(x)) : static_cast<float>(x);
}

/// Replaces a subnormal by zero of its sign.
inline float flushed(float x) { return as_float(flush(as_bits(x))); }

/// a * b + c, rounded once, then flushed, for operands without subnormals. `rounded` is fmaf(a, b, c), which rounds
/// values just below the smallest normal number to multiples of 2^-149, and so more of them up to that number.
inline float flushed_fma(float a, float b, float c, float rounded) {
  constexpr std::uint32_t kSmallest = 0x00800000;
  if ((as_bits(rounded) & 0x7fffffff) != kSmallest) return flushed(rounded);
  const double product = static_cast<double>(a) * static_cast<double>(b);  // exact
  const double sum = product + static_cast<double>(c), other = sum - product;
  const double error =
      (product - (sum - other)) + (static_cast<double>(c) - other);  // Knuth's: the sum plus it is exact
  const double size = std::fabs(sum), further = std::signbit(sum) ? -error : error;
  constexpr double kLeast = 0x1p-126 - 0x1p-151;
  return size > kLeast || (size == kLeast && further >= 0) ? rounded : std::copysign(0.0F, rounded);
}

#if WEFT_FLUSHES_IN_HARDWARE

/// A float whose operations flush. On x86 the caller must hold FlushDenormals or FlushToZero.
using FlushedFloat = float;

#else

/// A float whose operations flush.
class FlushedFloat {
 public:
  FlushedFloat() = default;
  FlushedFloat(float value) : value_(flushed(value)) {}  // NOLINT: as a float
  explicit FlushedFloat(double value) : value_(weft::flushed(value)) {}
  explicit operator float() const { return value_; }

  // A double has over twice the bits of a float, so that rounding to it first changes nothing.
  friend FlushedFloat operator+(FlushedFloat a, FlushedFloat b) { return FlushedFloat(a.wide() + b.wide()); }
  friend FlushedFloat operator-(FlushedFloat a, FlushedFloat b) { return FlushedFloat(a.wide() - b.wide()); }
  friend FlushedFloat operator*(FlushedFloat a, FlushedFloat b) { return FlushedFloat(a.wide() * b.wide()); }
  friend FlushedFloat operator/(FlushedFloat a, FlushedFloat b) { return FlushedFloat(a.wide() / b.wide()); }
  friend FlushedFloat sqrt(FlushedFloat a) { return FlushedFloat(std::sqrt(a.value_)); }
  FlushedFloat& operator+=(FlushedFloat other) { return *this = *this + other; }
  FlushedFloat& operator-=(FlushedFloat other) { return *this = *this - other; }
  friend bool operator<(FlushedFloat a, FlushedFloat b) { return a.value_ < b.value_; }
  friend bool operator>(FlushedFloat a, FlushedFloat b) { return a.value_ > b.value_; }
  friend bool operator>=(FlushedFloat a, FlushedFloat b) { return a.value_ >= b.value_; }

 private:
  double wide() const { return static_cast<double>(value_); }
  float value_ = 0;
};

#endif

}  // namespace weft
