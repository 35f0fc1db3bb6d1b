/// Weights of several outputs that have features in common, added to the outputs' accumulators.
///
/// A block is several vectors of tokens for several outputs: a feature's tokens are widened once, and a weight is
/// replicated once for the whole block. Each sum keeps its own order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "verif/model/numbers/terms.hpp"

namespace weft::model {

/// Features common to all outputs, with the weights of each output.
struct SharedFeatures {
  static constexpr int kSize = 256, kOutputs = 8;
#if defined(__AVX512F__)
  static constexpr int kAccumulators = 24;  ///< vectors of accumulators of a block
#else
  static constexpr int kAccumulators = 8;
#endif

  int n = 0;
  const std::uint16_t* x[kSize];
  std::uint16_t index[kSize];
  std::uint32_t w[kSize][kOutputs];  ///< words of kTerms features each

  /// Takes an output's weights: messages of W at w[0], w[step], ...
  void take_weights(int output, const std::uint32_t* from, int step) {
    for_terms(n, [&](int j, int last, auto alone) {
      w[j / kTerms][output] = weights(alone, from[j * step], from[last * step]);
    });
  }

  /// Adds the products to `size` accumulators of each of the first `outputs` outputs, or, FromZero, stores their sums.
  template <bool FromZero>
  void add(float* const* sums, int outputs, int size) const {
    add_some<FromZero, kOutputs>(sums, 0, outputs, size);
  }

 private:
  /// As many outputs as possible together.
  template <bool FromZero, int Outputs>
  void add_some(float* const* sums, int first, int outputs, int size) const {
    constexpr int kVectors = std::min(kAccumulators / Outputs, 8);
    for (; first + Outputs <= outputs; first += Outputs) add_vectors<FromZero, Outputs, kVectors>(sums, first, 0, size);
    if constexpr (Outputs > 1)
      if (first < outputs) add_some<FromZero, Outputs / 2>(sums, first, outputs, size);
  }
  template <bool FromZero, int Outputs, int Vectors>
  void add_vectors(float* const* sums, int first, int skip, int size) const {
    using Is = std::make_integer_sequence<int, Outputs * Vectors>;
    using Vs = std::make_integer_sequence<int, Vectors>;
    for (; size >= Vectors * kVector; size -= Vectors * kVector, skip += Vectors * kVector)
      block<FromZero, Vectors>(sums, first, skip, kVector, Is(), Vs());
    if constexpr (Vectors > 1)
      add_vectors<FromZero, Outputs, (Vectors > 3 ? Vectors / 2 : Vectors - 1)>(sums, first, skip, size);
    else if (size)
      block<FromZero, 1>(sums, first, skip, size, Is(), Vs());
  }
  template <bool FromZero, int Vectors, int... Is, int... Vs>
  void block(float* const* sums, int first, int skip, int lanes, std::integer_sequence<int, Is...>,
             std::integer_sequence<int, Vs...>) const {
    const auto at = [&](int i) { return sums[first + i / Vectors] + skip + i % Vectors * kVector; };
    V sum[] = {(FromZero ? V{} : load(at(Is)))...};
    const auto add = [&](int j, int last, auto alone) __attribute__((always_inline)) {
      const std::uint16_t *const here = x[j] + skip, *const other = x[last] + skip;
      const U factors[] = {terms(alone, here + Vs * kVector, other + Vs * kVector)...};
      const std::uint32_t* const words = w[j / kTerms] + first;
      ((sum[Is] = fma_terms(factors[Is % Vectors], splat_word(words[Is / Vectors]), sum[Is])), ...);
    };
    for_terms(n, add);
    (store(at(Is), sum[Is], lanes), ...);
  }
};

}  // namespace weft::model
