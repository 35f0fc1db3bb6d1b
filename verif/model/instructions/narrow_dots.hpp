/// Dot products where a beat has four elements, a part of a vector: a vector holds a beat of several features.
///
/// A row with one column of four lanes has such beats. Each lane of each feature has its own sum, over the beats in
/// order, as in Dots.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "verif/model/numbers/terms.hpp"

namespace weft::model {

class NarrowDots {
 public:
  static constexpr int kWidth = 4;                    ///< elements of a beat
  static constexpr int kFeatures = kVector / kWidth;  ///< features in a vector

  /// `Outputs` outputs with their deltas, in words of `weights`: [beat / kTerms][lane].
  template <int Outputs>
  struct Deltas {
    const std::uint32_t* of[Outputs];
    int beats;
  };

  /// Stores the sums of n features at to[output], [feature][lane]. A feature is [beat][lane].
  template <int Outputs>
  static void sums(const Deltas<Outputs>& dy, const std::uint16_t* const* x, int n, float* const* to) {
    int j = 0;
    for (; j + kTogether * kFeatures <= n; j += kTogether * kFeatures) block<kTogether>(dy, x + j, to, j, kVector);
    for (; j < n; j += kFeatures) {
      const std::uint16_t* some[kFeatures];
      const int left = std::min(n - j, kFeatures);
      for (int f = 0; f < kFeatures; ++f) some[f] = x[j + std::min(f, left - 1)];
      block<1>(dy, some, to, j, left * kWidth);
    }
  }

 private:
#if defined(WEFT_AVX512)
  static constexpr int kTogether = 2;  // vectors of features that share the loads of deltas
#else
  static constexpr int kTogether = 1;
#endif

  template <int Vectors, int Outputs>
  static void block(const Deltas<Outputs>& dy, const std::uint16_t* const* x, float* const* to, int feature,
                    int lanes) {
    block<Vectors>(dy, x, to, feature * kWidth, lanes, std::make_integer_sequence<int, Outputs * Vectors>(),
                   std::make_integer_sequence<int, Vectors>());
  }
  template <int Vectors, int Outputs, int... Is, int... Vs>
  static void block(const Deltas<Outputs>& dy, const std::uint16_t* const* x, float* const* to, int at, int lanes,
                    std::integer_sequence<int, Is...>, std::integer_sequence<int, Vs...>) {
    V sum[] = {(static_cast<void>(Is), V{})...};
    int k = 0;
    const auto add = [&](int beat, int, auto alone) __attribute__((always_inline)) {
      const U words[] = {packed(alone, x + Vs * kFeatures, beat * kWidth)...};
      ((sum[Is] = fma_terms(words[Is % Vectors], repeated(dy.of[Is / Vectors] + k), sum[Is])), ...);
      k += kWidth;
    };
    for_terms(dy.beats, add);
    (store(to[Is / Vectors] + at + Is % Vectors * kVector, sum[Is], lanes), ...);
  }

  /// Words of `terms` of kFeatures features, from element `at` on, [feature][lane].
  template <bool Alone>
  static U packed(Last<Alone> alone, const std::uint16_t* const* x, int at) {
#if defined(WEFT_AVX512_BF16)
    static_cast<void>(alone);
    const auto beats = [&](int f) { return load_as<__m128i>(x[f] + at); };
    __m512i v = _mm512_castsi128_si512(beats(0));
    v = _mm512_inserti32x4(v, beats(1), 1);
    v = _mm512_inserti32x4(v, beats(2), 2);
    v = _mm512_inserti32x4(v, beats(3), 3);
    const __m128i order = Alone ? _mm_setr_epi8(-1, -1, 0, 1, -1, -1, 2, 3, -1, -1, 4, 5, -1, -1, 6, 7)
                                : _mm_setr_epi8(8, 9, 0, 1, 10, 11, 2, 3, 12, 13, 4, 5, 14, 15, 6, 7);
    return reinterpret_cast<U>(_mm512_shuffle_epi8(v, _mm512_maskz_broadcast_i32x4(0xffff, order)));
#else
    using Beats = std::uint64_t __attribute__((vector_size(2 * kVector)));
    Beats beats{};
    for (int f = 0; f < kFeatures; ++f) beats[f] = load_as<std::uint64_t>(x[f] + at);
    return terms(alone, zero_extend(reinterpret_cast<H>(beats)), U{});
#endif
  }
  /// The four words at `p`, for each feature.
  static U repeated(const std::uint32_t* p) {
#if defined(WEFT_AVX512)
    return reinterpret_cast<U>(_mm512_maskz_broadcast_i32x4(0xffff, load_as<__m128i>(p)));
#elif defined(WEFT_AVX2)
    return reinterpret_cast<U>(_mm256_broadcastsi128_si256(load_as<__m128i>(p)));
#else
    return load_words(p);
#endif
  }
};

}  // namespace weft::model
