/// Dot products of some features with one output's deltas, lane by lane of every column.
#pragma once

#include <cstdint>
#include <utility>

#include "verif/model/simd.hpp"

namespace weft::model {

/// Each lane of each column has its own sum, over the beats in order, from +0.
struct Dots {
  const std::uint16_t* const* x;  ///< [feature], each [beat][col][lane]
  const std::uint16_t* index;     ///< null, or: a feature's x are ids, and it is 1 where they are this
  const float* dy;                ///< [beat][col][lane]
  int beats;
  int width;  ///< of a beat

  /// The sums of n features in a vector of lanes that begins `at` elements in.
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
    for (int i = 0; i < beats; ++i, at += width) {
      const V y = load(dy + at);
      if constexpr (OneHot)
        ((sum[Is] = fma(one_hot(x[j + Is] + at, index[j + Is]), y, sum[Is])), ...);
      else
        ((sum[Is] = fma(load_bf16(x[j + Is] + at), y, sum[Is])), ...);
    }
    ((sums[j + Is] = sum[Is]), ...);
  }
};

}  // namespace weft::model
