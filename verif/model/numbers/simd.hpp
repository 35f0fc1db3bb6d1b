/// Vectors of as many floats as the machine's registers hold. Results have the same bits on every machine.
///
/// Under FlushDenormals the operations are those of docs/reference/numbers.md except for the payload of a NaN, which is
/// made canonical where it is visible: `to_bf16`, `canonical`. Code calls `add`, `multiply` and `operand` instead of
/// using operators, which flush on x86 only.
#pragma once

#include <cstdint>
#include <cstring>

#include "sw/base/exact_math.hpp"
#include "sw/base/flushed_float.hpp"

#if WEFT_FLUSHES_IN_HARDWARE
#include <immintrin.h>
#if defined(__AVX512F__)
#define WEFT_AVX512 1
#elif defined(__AVX2__)
#define WEFT_AVX2 1
#endif
#if defined(__AVX512BF16__)
#define WEFT_AVX512_BF16 1
#endif
#endif

namespace weft::model {

#if defined(WEFT_AVX512)
inline constexpr int kVector = 16;
#elif defined(WEFT_AVX2)
inline constexpr int kVector = 8;
#else
inline constexpr int kVector = 4;
#endif

using V = float __attribute__((vector_size(4 * kVector)));
using I = std::int32_t __attribute__((vector_size(4 * kVector)));
using U = std::uint32_t __attribute__((vector_size(4 * kVector)));
using H = std::uint16_t __attribute__((vector_size(2 * kVector)));

/// True if a bit of the mask is set.
inline bool any(I mask) {
  std::uint64_t words[kVector / 2], all = 0;
  std::memcpy(words, &mask, sizeof words);
  for (const std::uint64_t word : words) all |= word;
  return all != 0;
}

/// A vector of x. x - 0 is x, for either sign of zero.
inline V splat(float x) { return x - V{}; }

template <class T>
inline T load_as(const void* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline V load(const float* p) { return load_as<V>(p); }
inline void store(float* p, V v) { std::memcpy(p, &v, sizeof v); }
inline void store(std::uint32_t* p, U v) { std::memcpy(p, &v, sizeof v); }
inline void store(std::uint16_t* p, H v) { std::memcpy(p, &v, sizeof v); }

inline U zero_extend(H h) {
#if defined(WEFT_AVX512)
  return reinterpret_cast<U>(_mm512_maskz_cvtepu16_epi32(0xffff, reinterpret_cast<__m256i>(h)));
#elif defined(WEFT_AVX2)
  return reinterpret_cast<U>(_mm256_cvtepu16_epi32(reinterpret_cast<__m128i>(h)));
#else
  return __builtin_convertvector(h, U);
#endif
}
inline H low_halves(U u) {
#if defined(WEFT_AVX512)
  return reinterpret_cast<H>(_mm512_maskz_cvtepi32_epi16(0xffff, reinterpret_cast<__m512i>(u)));
#else
  return __builtin_convertvector(u, H);
#endif
}

/// Element from[i] of v for each i. Only the low bits of an index, enough to number a vector's elements, count.
inline U permute(U v, I from) {
#if defined(WEFT_AVX512)
  return reinterpret_cast<U>(
      _mm512_maskz_permutexvar_epi32(0xffff, reinterpret_cast<__m512i>(from), reinterpret_cast<__m512i>(v)));
#elif defined(WEFT_AVX2)
  return reinterpret_cast<U>(
      _mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(v), reinterpret_cast<__m256i>(from)));
#else
  U r{};
  for (int i = 0; i < kVector; ++i) r[i] = v[from[i] & (kVector - 1)];
  return r;
#endif
}
inline V permute(V v, I from) { return reinterpret_cast<V>(permute(reinterpret_cast<U>(v), from)); }

/// bf16 bits to floats; subnormals stay, DAZ flushes them at their first use.
inline V widen_raw(H h) { return reinterpret_cast<V>(zero_extend(h) << 16); }
inline V load_bf16(const std::uint16_t* p) { return widen_raw(load_as<H>(p)); }

/// 1.0 where equal, else 0.0: as bf16 in the lower half, and as a float.
inline U one_hot_bf16(const std::uint16_t* p, std::uint16_t index) {
  return reinterpret_cast<U>((zero_extend(load_as<H>(p)) == (U{} + index)) & 0x3f80);
}
inline V one_hot(const std::uint16_t* p, std::uint16_t index) {
  return reinterpret_cast<V>(one_hot_bf16(p, index) << 16);
}

/// As one_hot(), with an index for each element.
inline V one_hot(const std::uint16_t* p, const std::uint16_t* index) {
  return reinterpret_cast<V>((zero_extend(load_as<H>(p)) == zero_extend(load_as<H>(index))) & 0x3f800000);
}

inline V select(I mask, V yes, V no) { return mask ? yes : no; }

/// Replaces subnormals by zeros of their sign.
inline V flush(V x) {
  const I bits = reinterpret_cast<I>(x);
  return select((bits & 0x7f800000) == 0, reinterpret_cast<V>(bits & INT32_MIN), x);
}

/// Filter for the inputs and results of operations: flushes subnormals, unless the hardware does.
inline V operand(V x) { return WEFT_FLUSHES_IN_HARDWARE ? x : flush(x); }

inline V add(V a, V b) { return operand(operand(a) + operand(b)); }
/// The product of factors with so few bits that it is exact, as those of bf16 are.
inline V multiply(V a, V b) { return operand(operand(a) * operand(b)); }

inline V fma(V a, V b, V c) {
#if defined(WEFT_AVX512)
  return reinterpret_cast<V>(
      _mm512_fmadd_ps(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)));
#elif defined(WEFT_AVX2) && defined(__FMA__)
  return reinterpret_cast<V>(
      _mm256_fmadd_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)));
#else
  a = operand(a), b = operand(b), c = operand(c);
  V r{};
  for (int i = 0; i < kVector; ++i) r[i] = __builtin_fmaf(a[i], b[i], c[i]);
  if (WEFT_FLUSHES_IN_HARDWARE) return r;
  const I smallest = (reinterpret_cast<I>(r) & INT32_MAX) == 0x00800000;  // may have been rounded up too far
  if (any(smallest)) [[unlikely]]
    for (int i = 0; i < kVector; ++i) r[i] = flushed_fma(a[i], b[i], c[i], r[i]);
  return flush(r);
#endif
}

inline I is_nan(V x) { return (reinterpret_cast<I>(x) & 0x7fffffff) > 0x7f800000; }

/// Makes NaN canonical and keeps all other values bit for bit.
inline V canonical_nan(V x) {
#if defined(WEFT_AVX512)
  const auto v = reinterpret_cast<__m512>(x);
  const __mmask16 nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
  return reinterpret_cast<V>(_mm512_mask_mov_ps(v, nan, _mm512_castsi512_ps(_mm512_set1_epi32(0x7fc00000))));
#else
  return select(is_nan(x), reinterpret_cast<V>(I{} + 0x7fc00000), x);
#endif
}

inline V max(V x, V c) {
  x = operand(x), c = operand(c);
  const I nan = is_nan(x) | is_nan(c);
  return select(nan, reinterpret_cast<V>(I{} + 0x7fc00000), flush(select(x > c, x, c)));
}

inline H to_bf16(V x) {
#if defined(WEFT_AVX512_BF16) && defined(__AVX512BW__) && defined(__AVX512VL__)
  // The instruction flushes subnormals in any mode, and keeps the payload of a NaN.
  const auto v = reinterpret_cast<__m512>(x);
  const auto h = reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(v));
  return reinterpret_cast<H>(
      _mm256_mask_mov_epi16(h, _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q), _mm256_set1_epi16(0x7fc0)));
#else
  const U bits = reinterpret_cast<U>(canonical_nan(flush(x)));
  return low_halves((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
#endif
}

/// Normalizes bf16 as docs/reference/numbers.md defines it: subnormals become zeros of their sign, NaN becomes
/// canonical.
inline void normal_bf16(const std::uint16_t* from, std::uint16_t* to, int size) {
  for (int i = 0; i < size; ++i) {
    const std::uint16_t x = from[i], magnitude = x & 0x7fff;
    const std::uint16_t number = magnitude < 0x80 ? x & 0x8000 : x;
    to[i] = magnitude > 0x7f80 ? std::uint16_t{0x7fc0} : number;
  }
}

/// Calls f(i, n) for vectors beginning at elements 0, kVector, ... of `size`; n < kVector only in the last call.
/// Reading a whole vector is always allowed (Aligned), writing one only if n is kVector.
template <class F>
inline void for_vectors(int size, F f) {
  int i = 0;
  for (; i + kVector <= size; i += kVector) f(i, kVector);
  if (i < size) f(i, size - i);
}

/// Stores the first n elements.
template <class T, class Vec>
inline void store(T* p, Vec v, int n) {
  if (n == kVector)
    store(p, v);
#if defined(WEFT_AVX512)
  else if constexpr (sizeof(T) == 4)
    _mm512_mask_storeu_epi32(p, static_cast<__mmask16>((1U << n) - 1), reinterpret_cast<__m512i>(v));
#endif
  else if (n == kVector / 4)  // a column of 4 lanes, or a part of one
    std::memcpy(p, &v, kVector / 4 * sizeof(T));
  else
    std::memcpy(p, &v, n * sizeof(T));
}

}  // namespace weft::model
