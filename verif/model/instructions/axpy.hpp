/// Weights times features, added to accumulators: blocks of accumulators stay in registers over many weights.
///
/// The accumulators of a row are VL * width neighbouring floats.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "verif/model/machine/machine.hpp"
#include "verif/model/numbers/numbers.hpp"
#include "verif/model/numbers/terms.hpp"

namespace weft::model {

#if defined(__AVX512F__)
inline constexpr int kMaxBlock = 16;  // vectors of accumulators
#else
inline constexpr int kMaxBlock = 8;
#endif

/// A batch of weights with the addresses of their features in memory.
struct Batch {
  static constexpr int kSize = 256;
  int n = 0;
  const std::uint16_t* x[kSize];
  std::uint16_t index[kSize];
  std::uint32_t w[kSize];  // a bf16 in the lower half

  /// Takes the first of some messages of W; the caller locates the features.
  void take(std::span<const std::uint32_t> weights) {
    n = static_cast<int>(std::min<std::size_t>(weights.size(), kSize));
    for (int j = 0; j < n; ++j) {
      w[j] = weights[static_cast<std::size_t>(j)] & 0xffff;
      index[j] = static_cast<std::uint16_t>(weights[static_cast<std::size_t>(j)] >> 16);
    }
  }
  /// Drops the first `some` weights.
  void drop(int some) {
    n -= some;
    std::copy_n(x + some, n, x);
    std::copy_n(index + some, n, index);
    std::copy_n(w + some, n, w);
  }
};

/// A subset of a batch: element `first` and every `step`-th element after it.
struct Some {
  int first = 0, step = 1;
};

/// acc[0 .. kVector * Is) = fma(x, w, acc), weight after weight; the x begin `skip` elements in.
template <bool OneHot, int... Is>
inline void block(float* acc, const Batch& batch, Some some, int skip, std::integer_sequence<int, Is...>) {
  V sum[] = {load(acc + kVector * Is)...};
  const auto add = [&](int j, int last, auto alone) __attribute__((always_inline)) {
    const std::uint16_t *const x = batch.x[j] + skip, *const y = batch.x[last] + skip;
    const U w = splat_word(weights(alone, batch.w[j], batch.w[last]));
    const auto factors = [&](int at) __attribute__((always_inline)) {
      if constexpr (OneHot)
        return terms(alone, one_hot_bf16(x + at, batch.index[j]), one_hot_bf16(y + at, batch.index[last]));
      else
        return terms(alone, x + at, y + at);
    };
    ((sum[Is] = fma_terms(factors(kVector * Is), w, sum[Is])), ...);
  };
  int j = some.first;
  const int apart = (kTerms - 1) * some.step;
  for (; j + apart < batch.n; j += kTerms * some.step) add(j, j + apart, Last<false>());
  if (kTerms > 1 && j < batch.n) add(j, j, Last<true>());
  (store(acc + kVector * Is, sum[Is]), ...);
}

/// Adds the weights to `size` accumulators: as many blocks of the largest size as fit, then blocks of half the size,
/// and so on, then the rest of a vector.
template <bool OneHot, int Vectors = kMaxBlock>
inline void add_weights(float* acc, const Batch& batch, int skip, int size, Some some = {}) {
  for (; size >= Vectors * kVector; size -= Vectors * kVector) {
    block<OneHot>(acc, batch, some, skip, std::make_integer_sequence<int, Vectors>());
    acc += Vectors * kVector;
    skip += Vectors * kVector;
  }
  if constexpr (Vectors > 1) {
    add_weights<OneHot, Vectors / 2>(acc, batch, skip, size, some);
  } else if (size) {
    float part[kVector] = {};
    std::memcpy(part, acc, size * sizeof(float));
    block<OneHot>(part, batch, some, skip, std::make_integer_sequence<int, 1>());
    std::memcpy(acc, part, size * sizeof(float));
  }
}

/// Precomputes the sums of this vaxs' output and of those that follow on W, if the weights of several have arrived and
/// name the same features except for some at the end. Returns false if they do not.
bool precompute_sums(Machine& m, const VectorOp& op);

/// Executes a vaxs, or a whole stream of one without its CR, for these weights of W, which stay there.
void axpy(Machine& m, VectorOp& op, std::span<const std::uint32_t> weights);
/// The sums of the whole output, if they are precomputed or can be computed now; null if not. Valid until the next
/// call. The output's accumulators must be +0.
const float* precomputed(Machine& m, const VectorOp& op);
/// Checks that `beats` entries from rd on are +0.
bool all_zero(const Machine& m, int rd, int beats);
/// Beats of a weight.
inline int beats_of(const VectorOp& op) { return op.in.interleave ? (op.str & 7) + 1 : op.vl; }

}  // namespace weft::model
