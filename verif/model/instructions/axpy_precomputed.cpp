/// Sums of several outputs at a time. Each sum keeps its own order, the order of its weights on W.
#include "verif/model/instructions/axpy.hpp"
#include "verif/model/instructions/features.hpp"
#include "verif/model/instructions/shared_features.hpp"

namespace weft::model {

namespace {

constexpr int kOutputs = PrecomputedSums::kOutputs;
static_assert(kOutputs == SharedFeatures::kOutputs);

/// Number of leading weights that name the same features in all runs.
std::size_t shared(std::span<const std::span<const std::uint32_t>> runs) {
  std::size_t n = runs[0].size();
  for (const auto& run : runs.subspan(1)) {
    n = std::min(n, run.size());
    std::uint32_t differences = 0;
    for (std::size_t j = 0; j < n; ++j) differences |= run[j] ^ runs[0][j];
    if (differences >> 16 == 0) continue;
    std::size_t same = 0;
    while (run[same] >> 16 == runs[0][same] >> 16) ++same;
    n = same;
  }
  return n;
}

}  // namespace

bool precompute_sums(Machine& m, const VectorOp& op) {
  std::span<const std::uint32_t> runs[kOutputs];
  std::array<std::uint64_t, kOutputs> places{};
  int outputs = 0;
  for (; outputs < kOutputs; ++outputs) {
    const auto k = static_cast<std::size_t>(outputs);
    const auto run = m.w.run(k);
    if (!run || run->empty()) break;
    runs[k] = *run;
    places[k] = k ? places[k - 1] + runs[k - 1].size() + 1 : m.w.taken();
  }
  if (outputs < 2) return false;
  const std::span all(runs, static_cast<std::size_t>(outputs));
  const std::size_t same = shared(all);
  if (!same || 2 * same < runs[0].size()) return false;

  const int size = op.vl * m.place.width();
  float* sums[kOutputs];
  for (int k = 0; k < outputs; ++k) sums[k] = m.precomputed_sums.room(op.vl) + k * size;
  SharedFeatures s;
  for (std::size_t done = 0; done < same; done += static_cast<std::size_t>(s.n)) {
    s.n = static_cast<int>(std::min<std::size_t>(same - done, SharedFeatures::kSize));
    for (int j = 0; j < s.n; ++j)
      s.index[j] = static_cast<std::uint16_t>(runs[0][done + static_cast<std::size_t>(j)] >> 16);
    for (int k = 0; k < outputs; ++k) s.take_weights(k, runs[k].data() + done, 1);
    if (locate_features(m, op, s.index, s.n, s.x) < s.n) return false;
    watch_features(m, op, s.x, s.n);
    if (done)
      s.add<false>(sums, outputs, size);
    else
      s.add<true>(sums, outputs, size);
  }
  for (int k = 0; k < outputs; ++k) {
    Batch rest;
    for (std::size_t done = same; done < runs[k].size(); done += static_cast<std::size_t>(rest.n)) {
      rest.take(runs[k].subspan(done));
      if (locate_features(m, op, rest.index, rest.n, rest.x) < rest.n) return false;
      watch_features(m, op, rest.x, rest.n);
      add_weights<false>(sums[k], rest, 0, size);
    }
  }
  m.precomputed_sums.made(op, std::span(places).first(all.size()));
  return true;
}

}  // namespace weft::model
