/// Dot products of some features with one output's deltas, lane by lane of every column.
#pragma once

#include <cstdint>
#include <utility>

#include "verif/model/numbers/terms.hpp"

namespace weft::model {

/// Dot products: each lane of each column has its own sum, over the beats in order, from +0.
struct Dots {
  const std::uint16_t* const* x;  ///< [feature], each [beat][col][lane]
  const std::uint16_t* index;     ///< if not null, a feature's x are ids: x is 1 where the id equals the index, else 0
  const std::uint32_t* dy;        ///< words of `weights`: [beat / kTerms][col][lane]
  int beats;
  int width;  ///< elements of a beat

  /// The sums of n features for the vector of lanes that begins at element `at`.
  void sums(int n, int at, V* sums) const {
    if (index)
      all<true>(n, at, sums);
    else
      all<false>(n, at, sums);
  }

 private:
  static constexpr int kTogether = 8;  // features that share the loads of dy

  template <bool OneHot>
  void all(int n, int at, V* sums) const {
    int j = 0;
    for (; j + kTogether <= n; j += kTogether) some<OneHot>(j, at, sums, std::make_integer_sequence<int, kTogether>());
    for (; j < n; ++j) some<OneHot>(j, at, sums, std::make_integer_sequence<int, 1>());
  }
  template <bool OneHot, int... Is>
  void some(int j, int at, V* sums, std::integer_sequence<int, Is...>) const {
    V sum[] = {(static_cast<void>(Is), V{})...};
    const std::uint32_t* y = dy + at;
    const auto add = [&](int, int, auto alone) __attribute__((always_inline)) {
      const U words = load_words(y);
      ((sum[Is] = fma_terms(factors<OneHot>(alone, j + Is, at), words, sum[Is])), ...);
      at += kTerms * width;
      y += width;
    };
    for_terms(beats, add);
    ((sums[j + Is] = sum[Is]), ...);
  }
  /// Factors of feature j for one word.
  template <bool OneHot, bool Alone>
  U factors(Last<Alone> alone, int j, int at) const {
    const std::uint16_t *const first = x[j] + at, *const second = first + (Alone ? 0 : (kTerms - 1) * width);
    if constexpr (OneHot) return terms(alone, one_hot_bf16(first, index[j]), one_hot_bf16(second, index[j]));
    return terms(alone, first, second);
  }
};

}  // namespace weft::model
