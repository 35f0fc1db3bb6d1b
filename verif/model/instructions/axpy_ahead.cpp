/// The sums of several outputs at a time.
///
/// A block is some vectors of tokens for all of the outputs: a feature's tokens are widened once, a weight's copies
/// serve the whole block. Each sum has its own order, that of its weights on W.
#include "verif/model/instructions/axpy.hpp"
#include "verif/model/instructions/features.hpp"

namespace weft::model {

namespace {

constexpr int kOutputs = Ahead::kOutputs;
static_assert(kOutputs == 4);  // block() has their names
#if defined(__AVX512F__)
constexpr int kVectors = 6;  // of accumulators, for each output
#else
constexpr int kVectors = 2;
#endif

/// Features that all outputs have, with the weights of each.
struct Shared {
  static constexpr int kSize = 256;
  int n = 0;
  const std::uint16_t* x[kSize];
  std::uint16_t index[kSize];
  float w[kSize][kOutputs];
};

template <bool FromZero, int... Is>
inline void block(const Shared& s, float* const* sums, int skip, int lanes, std::integer_sequence<int, Is...>) {
  const auto begin = [&](int k, int i) { return FromZero ? V{} : load(sums[k] + skip + kVector * i); };
  V a[] = {begin(0, Is)...}, b[] = {begin(1, Is)...}, c[] = {begin(2, Is)...}, d[] = {begin(3, Is)...};
  for (int j = 0; j < s.n; ++j) {
    const std::uint16_t* x = s.x[j] + skip;
    const V wa = splat(s.w[j][0]), wb = splat(s.w[j][1]), wc = splat(s.w[j][2]), wd = splat(s.w[j][3]);
    const auto add = [&](int i) {
      const V v = load_bf16(x + kVector * i);
      a[i] = fma(v, wa, a[i]), b[i] = fma(v, wb, b[i]), c[i] = fma(v, wc, c[i]), d[i] = fma(v, wd, d[i]);
    };
    (add(Is), ...);
  }
  const auto end = [&](int k, int i, V sum) { store(sums[k] + skip + kVector * i, sum, lanes); };
  (end(0, Is, a[Is]), ...), (end(1, Is, b[Is]), ...), (end(2, Is, c[Is]), ...), (end(3, Is, d[Is]), ...);
}

/// `size` accumulators of each output.
template <bool FromZero, int Vectors = kVectors>
void add_shared(const Shared& s, float* const* sums, int skip, int size) {
  for (; size >= Vectors * kVector; size -= Vectors * kVector, skip += Vectors * kVector)
    block<FromZero>(s, sums, skip, kVector, std::make_integer_sequence<int, Vectors>());
  if constexpr (Vectors > 1)
    add_shared<FromZero, Vectors / 2>(s, sums, skip, size);
  else if (size)
    block<FromZero>(s, sums, skip, size, std::make_integer_sequence<int, 1>());
}

/// Weights at the beginning that name the same features in all runs.
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

bool look_ahead(Machine& m, const VectorOp& op) {
  std::span<const std::uint32_t> runs[kOutputs];
  std::array<std::uint64_t, kOutputs> places{};
  float* sums[kOutputs];
  for (std::size_t k = 0; k < kOutputs; ++k) {
    const auto run = m.w.run(k);
    if (!run || run->empty()) return false;
    runs[k] = *run;
    places[k] = k ? places[k - 1] + runs[k - 1].size() + 1 : m.w.taken();
    sums[k] = m.ahead.sums(static_cast<int>(k));
  }
  const std::size_t same = shared(runs);
  if (!same || 2 * same < runs[0].size()) return false;

  const int size = op.vl * m.place.width();
  Shared s;
  for (std::size_t done = 0; done < same; done += static_cast<std::size_t>(s.n)) {
    s.n = static_cast<int>(std::min<std::size_t>(same - done, Shared::kSize));
    for (int j = 0; j < s.n; ++j) {
      s.index[j] = static_cast<std::uint16_t>(runs[0][done + static_cast<std::size_t>(j)] >> 16);
      for (int k = 0; k < kOutputs; ++k) s.w[j][k] = as_float(runs[k][done + static_cast<std::size_t>(j)] << 16);
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
  m.ahead.made(op, places);
  return true;
}

}  // namespace weft::model
