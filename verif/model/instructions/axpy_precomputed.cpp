/// Sums of several outputs at a time.
///
/// A block is several vectors of tokens for all outputs: a feature's tokens are widened once, and a weight is
/// replicated once for the whole block. Each sum keeps its own order, the order of its weights on W.
#include "verif/model/instructions/axpy.hpp"
#include "verif/model/instructions/features.hpp"
#include "verif/model/numbers/terms.hpp"

namespace weft::model {

namespace {

constexpr int kOutputs = PrecomputedSums::kOutputs;
#if defined(__AVX512F__)
constexpr int kVectors = 24 / kOutputs;  // vectors of accumulators for each output
#else
constexpr int kVectors = 8 / kOutputs;
#endif

/// Features common to all outputs, with the weights of each output.
struct Shared {
  static constexpr int kSize = 256;
  int n = 0;
  const std::uint16_t* x[kSize];
  std::uint16_t index[kSize];
  std::uint32_t w[kSize][kOutputs];  // words of kTerms features each
};

template <bool FromZero, int Vectors, int... Is, int... Vs>
inline void block(const Shared& s, float* const* sums, int skip, int lanes, std::integer_sequence<int, Is...>,
                  std::integer_sequence<int, Vs...>) {
  const auto at = [&](int i) { return sums[i / Vectors] + skip + i % Vectors * kVector; };
  V sum[] = {(FromZero ? V{} : load(at(Is)))...};
  const auto add = [&](int j, int last, auto alone) __attribute__((always_inline)) {
    const std::uint16_t *const first = s.x[j] + skip, *const second = s.x[last] + skip;
    const U x[] = {terms(alone, first + Vs * kVector, second + Vs * kVector)...};
    const std::uint32_t* const w = s.w[j / kTerms];
    ((sum[Is] = fma_terms(x[Is % Vectors], splat_word(w[Is / Vectors]), sum[Is])), ...);
  };
  for_terms(s.n, add);
  (store(at(Is), sum[Is], lanes), ...);
}
template <bool FromZero, int Vectors>
inline void block(const Shared& s, float* const* sums, int skip, int lanes) {
  block<FromZero, Vectors>(s, sums, skip, lanes, std::make_integer_sequence<int, kOutputs * Vectors>(),
                           std::make_integer_sequence<int, Vectors>());
}

/// Adds the shared features to `size` accumulators of each output.
template <bool FromZero, int Vectors = kVectors>
void add_shared(const Shared& s, float* const* sums, int skip, int size) {
  for (; size >= Vectors * kVector; size -= Vectors * kVector, skip += Vectors * kVector)
    block<FromZero, Vectors>(s, sums, skip, kVector);
  if constexpr (Vectors > 1)
    add_shared<FromZero, Vectors / 2>(s, sums, skip, size);
  else if (size)
    block<FromZero, 1>(s, sums, skip, size);
}

/// Number of leading weights that name the same features in all runs.
std::size_t shared(const std::span<const std::uint32_t> (&runs)[kOutputs]) {
  std::size_t n = runs[0].size();
  for (const auto& run : runs) {
    std::size_t same = 0;
    while (same < std::min(n, run.size()) && run[same] >> 16 == runs[0][same] >> 16) ++same;
    n = same;
  }
  return n;
}

}  // namespace

bool precompute_sums(Machine& m, const VectorOp& op) {
  std::span<const std::uint32_t> runs[kOutputs];
  std::array<std::uint64_t, kOutputs> places{};
  for (std::size_t k = 0; k < kOutputs; ++k) {
    const auto run = m.w.run(k);
    if (!run || run->empty()) return false;
    runs[k] = *run;
    places[k] = k ? places[k - 1] + runs[k - 1].size() + 1 : m.w.taken();
  }
  const std::size_t same = shared(runs);
  if (!same || 2 * same < runs[0].size()) return false;

  const int size = op.vl * m.place.width();
  float* sums[kOutputs];
  for (int k = 0; k < kOutputs; ++k) sums[k] = m.precomputed_sums.room(op.vl) + k * size;
  Shared s;
  for (std::size_t done = 0; done < same; done += static_cast<std::size_t>(s.n)) {
    s.n = static_cast<int>(std::min<std::size_t>(same - done, Shared::kSize));
    for (int j = 0; j < s.n; ++j)
      s.index[j] = static_cast<std::uint16_t>(runs[0][done + static_cast<std::size_t>(j)] >> 16);
    for (int k = 0; k < kOutputs; ++k) {
      const std::uint32_t* const w = runs[k].data() + done;
      for_terms(s.n, [&](int j, int last, auto alone) { s.w[j / kTerms][k] = weights(alone, w[j], w[last]); });
    }
    if (locate_features(m, op, s.index, s.n, s.x) < s.n) return false;
    watch_features(m, op, s.x, s.n);
    if (done)
      add_shared<false>(s, sums, 0, size);
    else
      add_shared<true>(s, sums, 0, size);
  }
  for (std::size_t k = 0; k < kOutputs; ++k) {
    Batch rest;
    for (std::size_t done = same; done < runs[k].size(); done += static_cast<std::size_t>(rest.n)) {
      rest.take(runs[k].subspan(done));
      if (locate_features(m, op, rest.index, rest.n, rest.x) < rest.n) return false;
      watch_features(m, op, rest.x, rest.n);
      add_weights<false>(sums[k], rest, 0, size);
    }
  }
  m.precomputed_sums.made(op, places);
  return true;
}

}  // namespace weft::model
