/// Products of bf16 that one instruction adds to a sum: kTerms of them, one after the other, each rounded and flushed.
///
/// x86's VDPBF16PS adds two: fma(lower a, lower b, fma(upper a, upper b, c)) of the halves of 32 bits, which gives the
/// bits of docs/reference/numbers.md except for a NaN's payload (as in simd.hpp). Callers process a sum's products
/// kTerms at a time, in their order. A word holds one instruction's operands in a lane: a float if kTerms is 1.
#pragma once

#include <type_traits>

#include "verif/model/numbers/simd.hpp"

namespace weft::model {

#if defined(WEFT_AVX512_BF16)
inline constexpr int kTerms = 2;
#else
inline constexpr int kTerms = 1;
#endif

/// Number of words for so many products.
constexpr int words_of(int products) { return (products + kTerms - 1) / kTerms; }

/// Marks a word with a single product: the last word of a sum with an odd number of products where kTerms is 2. The
/// other product is +0 * -0, which is -0 and changes no sum.
template <bool Alone>
using Last = std::bool_constant<Alone>;
inline constexpr std::uint32_t kNoWeight = 0x8000;

/// Words of factors given in the lower halves: `first`, then `second` unless Alone.
template <bool Alone>
inline U terms(Last<Alone>, U first, U second) {
  return Alone || kTerms == 1 ? first << 16 : first << 16 | second;
}
template <bool Alone>
inline U terms(Last<Alone> last, const std::uint16_t* first, const std::uint16_t* second) {
  return terms(last, zero_extend(load_as<H>(first)), Alone ? U{} : zero_extend(load_as<H>(second)));
}

/// Words of the other factors, the weights.
template <bool Alone>
inline U weights(Last<Alone> last, U first, U second) {
  return terms(last, first, second) | (Alone ? kNoWeight : 0);
}
template <bool Alone>
inline U weights(Last<Alone> last, const std::uint16_t* first, const std::uint16_t* second) {
  return terms(last, first, second) | (Alone ? kNoWeight : 0);
}
/// The word of one lane; the upper halves of the arguments are ignored.
template <bool Alone>
inline std::uint32_t weights(Last<Alone>, std::uint32_t first, std::uint32_t second) {
  return first << 16 | (Alone ? kNoWeight : kTerms == 1 ? 0 : second & 0xffff);
}

inline U load_words(const std::uint32_t* p) { return load_as<U>(p); }
inline U splat_word(std::uint32_t word) { return U{} + word; }

/// c plus the products of one word of each factor.
inline V fma_terms(U a, U b, V c) {
#if defined(WEFT_AVX512_BF16)
  return reinterpret_cast<V>(
      _mm512_dpbf16_ps(reinterpret_cast<__m512>(c), reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b)));
#else
  return fma(reinterpret_cast<V>(a), reinterpret_cast<V>(b), c);
#endif
}

/// Calls step(i, last, alone) for each word of `size` products: the word holds products i and `last`, or i alone.
template <class Step>
[[gnu::always_inline]] inline void for_terms(int size, Step step) {
  int i = 0;
  for (; i + kTerms <= size; i += kTerms) step(i, i + kTerms - 1, Last<false>());
  if (kTerms > 1 && i < size) step(i, i, Last<true>());
}

}  // namespace weft::model
