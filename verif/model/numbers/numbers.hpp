/// The wafer's arithmetic (docs/reference/numbers.md), bit for bit, in integers: nothing here depends on the FPU's
/// mode.
///
/// Values are represented by their bits: bf16 in 16 bits, fp32 in 32. Fast native paths may use `FlushDenormals`
/// instead of the references below (docs say when that is exact) and must make NaN canonical.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "sfu_tables.hpp"
#include "sw/base/bf16.hpp"
#include "sw/base/flushed_float.hpp"

namespace weft::model {

namespace detail {

/// A finite number with an unbounded exponent: (-1)^negative * significand * 2^(exponent - 23); the significand is 0
/// or has 24 bits.
struct Exact {
  bool negative;
  int exponent;
  std::uint32_t significand;
};

inline bool is_inf(std::uint32_t bits) { return (bits & 0x7fffffff) == 0x7f800000; }

/// Decomposes a finite fp32, flushed.
inline Exact exact(std::uint32_t bits) {
  const int biased = bits >> 23 & 0xff;
  return {(bits >> 31) != 0, biased - 127, biased ? (bits & 0x7fffff) | 0x800000 : 0};
}

/// The sum with one rounding; a result that is tiny after rounding becomes zero.
inline std::uint32_t add_exact(Exact p, Exact c) {
  if (!p.significand && !c.significand) return p.negative && c.negative ? 0x80000000 : 0;
  if (!p.significand) p.exponent = c.exponent;
  if (!c.significand) c.exponent = p.exponent;
  if (p.exponent < c.exponent || (p.exponent == c.exponent && p.significand < c.significand)) std::swap(p, c);
  std::uint64_t big = static_cast<std::uint64_t>(p.significand) << 32;
  std::uint64_t small = static_cast<std::uint64_t>(c.significand) << 32;
  const int shift = p.exponent - c.exponent;
  const std::uint64_t kept = shift < 60 ? small >> shift : 0;
  const bool sticky = shift < 60 ? (kept << shift) != small : small != 0;
  small = kept | sticky;
  std::uint64_t sum = p.negative == c.negative ? big + small : big - small;
  if (!sum) return 0;
  const int top = 63 - std::countl_zero(sum);  // position of the leading one; 55 is 2^exponent
  int exponent = p.exponent + top - 55;
  const int drop = top - 23;
  std::uint64_t significand = 0;
  if (drop > 0) {
    significand = sum >> drop;
    const std::uint64_t rest = sum - (significand << drop), half = std::uint64_t{1} << (drop - 1);
    significand += rest > half || (rest == half && (significand & 1));
  } else {
    significand = sum << -drop;
  }
  if (significand == 0x1000000) significand >>= 1, ++exponent;
  const std::uint32_t sign = p.negative ? 0x80000000 : 0;
  if (exponent < -126) return sign;
  if (exponent > 127) return sign | 0x7f800000;
  return sign | static_cast<std::uint32_t>(exponent + 127) << 23 | (static_cast<std::uint32_t>(significand) & 0x7fffff);
}

}  // namespace detail

/// a * b + c with one rounding.
inline std::uint32_t fma_bits(bf16 a, bf16 b, std::uint32_t c) {
  const std::uint32_t fa = widen(a), fb = widen(b);
  if (weft::is_nan(fa) || weft::is_nan(fb) || weft::is_nan(c)) return kNan;
  const std::uint32_t sign = (fa ^ fb) & 0x80000000;
  if (detail::is_inf(fa) || detail::is_inf(fb)) {
    if (!(fa << 1) || !(fb << 1) || (detail::is_inf(c) && (c & 0x80000000) != sign)) return kNan;
    return sign | 0x7f800000;
  }
  if (detail::is_inf(c)) return c;
  const detail::Exact ea = detail::exact(fa), eb = detail::exact(fb);
  detail::Exact p{sign != 0, ea.exponent + eb.exponent, (ea.significand >> 16) * (eb.significand >> 16) << 9};
  if (p.significand >> 24) p.significand >>= 1, ++p.exponent;  // the lowest bit is 0: still exact
  return detail::add_exact(p, detail::exact(c));
}

/// x + c with one rounding.
inline std::uint32_t add_bits(std::uint32_t x, std::uint32_t c) {
  if (weft::is_nan(x) || weft::is_nan(c)) return kNan;
  if (detail::is_inf(x)) return detail::is_inf(c) && x != c ? kNan : x;
  if (detail::is_inf(c)) return c;
  return detail::add_exact(detail::exact(x), detail::exact(c));
}

namespace detail {

/// Orders finite and infinite fp32 like the reals; both zeros are 0.
inline std::int32_t rank(std::uint32_t bits) {
  const auto magnitude = static_cast<std::int32_t>(weft::flush(bits) & 0x7fffffff);
  return bits >> 31 ? -magnitude : magnitude;
}

}  // namespace detail

/// x if x > c, else c; flushed. NaN if either is.
inline std::uint32_t max_bits(std::uint32_t x, std::uint32_t c) {
  if (weft::is_nan(x) || weft::is_nan(c)) return kNan;
  return weft::flush(detail::rank(x) > detail::rank(c) ? x : c);
}

/// 1.0 if x >= c, else 0.0.
inline std::uint32_t ge_bits(std::uint32_t x, std::uint32_t c) {
  return !weft::is_nan(x) && !weft::is_nan(c) && detail::rank(x) >= detail::rank(c) ? kOne : 0;
}

/// a * b as fp32 (exact, but for overflow and flushing): the x of `max` and `ge` in `vf`. Keeps the sign of a zero.
inline std::uint32_t mul_bits(bf16 a, bf16 b) {
  const std::uint32_t zero = ((a ^ b) & 0x8000) ? 0x80000000u : 0u;
  return fma_bits(a, b, zero);
}

/// `sel` of `vf`.
inline std::uint32_t sel_bits(bf16 a, bf16 b, std::uint32_t c) {
  return widen(a) << 1 ? fma_bits(0x3f80, b, 0) : add_bits(0, c);
}

/// The table functions, in the order of isa.py's fn 4..7.
enum class Fn : std::uint8_t { kExp = 0, kRecip = 1, kRsqrt = 2, kTanh = 3 };

/// Bit-identical to rtl/numbers/weft_sfu_lane.sv.
inline bf16 sfu(Fn fn, bf16 x) {
  namespace t = sfu_tables;
  const unsigned negative = x >> 15, e = x >> 7 & 0xff, m = x & 0x7f;
  const bf16 sign = x & 0x8000;
  if (e == 255 && m) return kNanBf16;
  const auto result = [](bf16 s, int base, unsigned address) -> bf16 {
    const unsigned entry = t::kRom[address];
    const int exponent = base + static_cast<int>(entry >> 7);
    if (exponent <= 0) return s;
    if (exponent >= 255) return s | 0x7f80;
    return static_cast<bf16>(s | exponent << 7 | (entry & 0x7f));
  };
  switch (fn) {
    case Fn::kExp: {
      if (e >= 134) return negative ? 0 : 0x7f80;  // |x| >= 128
      // The product |x| * log2(e) in Q8.9, truncated; 0 for an x so small that it adds nothing to 1.
      const std::uint32_t product = (128 + m) * t::kLog2e;
      const unsigned shift = 133 - e;
      const std::int32_t magnitude = shift < 32 ? static_cast<std::int32_t>((product >> 9) >> shift) : 0;
      const std::int32_t y = negative ? ~magnitude : magnitude;
      return result(0, (y >> 9) + 127, t::kExpBase | (y & 0x1ff));
    }
    case Fn::kRecip:
      if (e == 0) return sign | 0x7f80;
      if (e == 255) return sign;
      return result(sign, 253 - static_cast<int>(e), t::kRecipBase | m);
    case Fn::kRsqrt:
      if (e == 0) return 0x7f80;
      if (negative) return kNanBf16;
      if (e == 255) return 0;
      return result(0, 189 + !(e & 1) - static_cast<int>(e >> 1), t::kRsqrtBase | (e & 1) << 7 | m);
    case Fn::kTanh:
      if (e == 0) return sign;
      if (e < 122) return x;
      if (e > 128) return sign | 0x3f80;
      return result(sign, static_cast<int>(e) - 2, (e & 7) << 7 | m);
  }
  return kNanBf16;
}

/// All 65536 results of a function, built at the first call. Thread-safe; valid until the program exits.
inline const bf16* sfu_table(Fn fn) {
  using Table = std::array<bf16, 65536>;
  static const auto tables = [] {
    static std::array<Table, 4> all;
    for (unsigned f = 0; f < 4; ++f)
      for (unsigned x = 0; x < 65536; ++x) all[f][x] = sfu(static_cast<Fn>(f), static_cast<bf16>(x));
    return all.data();
  }();
  return tables[static_cast<unsigned>(fn)].data();
}

/// Sets FTZ and DAZ of this thread while in scope, where flushed_float.hpp uses them: round to nearest, all exceptions
/// masked.
class FlushDenormals {
 public:
  FlushDenormals() : saved_(FloatMode::get()) { FloatMode::set(FloatMode::kDefault | FloatMode::kFlush); }
  ~FlushDenormals() { FloatMode::set(saved_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned saved_;
};

}  // namespace weft::model
