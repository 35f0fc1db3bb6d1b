#include "tests/shapes/job.hpp"

#include <algorithm>
#include <cmath>

#include "host/memoryx/pruning.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::test {
namespace {

/// 1..most; for half of the draws the logarithm is uniform, which favors small values.
int skewed(Rng& rng, int most) {
  if (rng.chance(50)) return 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(most)));
  const double u = rng.below(1 << 20) / static_cast<double>(1 << 20);
  return std::min(most, static_cast<int>(std::exp(u * std::log(most + 1.0))));
}

Job draw(Rng& rng, const Range& range) {
  Job job;
  machine::WaferShape& w = job.wafer;
  w.rows = skewed(rng, range.rows);
  w.cols = skewed(rng, range.cols);
  w.valves = 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(w.rows)));
  w.lanes = range.any_lanes && rng.chance(50) ? 2 << rng.below(4) : 4;
  constexpr int kSizes[] = {8, 16, 24, 48, 64, 96, 128};
  w.sram_kib = kSizes[rng.below(std::size(kSizes))];

  compiler::ModelShape& m = job.model;
  m.heads = skewed(rng, 16);
  m.hidden = m.heads * skewed(rng, 20);
  m.layers = skewed(rng, 24);
  m.filter = rng.chance(50) ? 4 * m.hidden : skewed(rng, 300);
  m.seq = skewed(rng, 100);
  m.vocab = 1 + skewed(rng, 2000);
  m.tied = rng.chance(50);
  m.micro_batch = skewed(rng, 3 * w.cols);
  job.micro_batches = skewed(rng, 5);
  job.num_csx = skewed(rng, 4);
  job.seed = rng.next();
  constexpr double kSparsities[] = {0, 0, 0.5, 0.9, 0.99};
  job.sparsity = kSparsities[job.seed % std::size(kSparsities)];
  constexpr float kSmoothings[] = {0, 0, 0, 0.1F, 0.75F};
  m.label_smoothing = kSmoothings[job.seed / 32 % std::size(kSmoothings)];
  w.psum_cycles = job.seed / 8 % 4 == 0 ? 4 : 2;
  return job;
}

}  // namespace

double Job::work() const {
  const double h = model.hidden, tokens = 1.0 * model.seq * model.micro_batch * micro_batches;
  const double layer = 4 * h * h + 2 * h * model.filter + 2 * h * model.seq;
  return tokens * (model.layers * layer + 2 * h * model.vocab);
}

compiler::Mask job_mask(const Job& job) {
  compiler::Mask mask;
  if (job.sparsity == 0) return mask;
  for (const compiler::TensorInfo& t : compiler::model_tensors(job.model))
    if (t.dims.size() == 2 && t.name.starts_with("h."))
      mask[t.name] = memoryx::random_mask(t.name, t.size, job.sparsity, job.seed);
  return mask;
}

std::ostream& operator<<(std::ostream& out, const Job& job) {
  const compiler::ModelShape& m = job.model;
  const machine::WaferShape& w = job.wafer;
  return out << w.rows << "x" << w.cols << " tiles, " << w.lanes << " lanes, " << w.sram_kib << " KiB, "
             << w.psum_cycles << " cycles, " << w.valves << " valves; hidden " << m.hidden << ", heads " << m.heads
             << ", layers " << m.layers << ", filter " << m.filter << ", seq " << m.seq << ", vocab " << m.vocab
             << (m.tied ? ", tied" : ", untied") << ", smoothing " << m.label_smoothing << ", micro-batch "
             << m.micro_batch << " x " << job.micro_batches << ", wafers " << job.num_csx << ", sparsity "
             << job.sparsity << ", seed " << job.seed;
}

Job random_job(Rng& rng, const Range& range) {
  for (;;) {
    const Job job = draw(rng, range);
    if (job.work() <= range.work) return job;
  }
}

Job random_legal_job(Rng& rng, const Range& range) {
  for (;;) {
    const Job job = random_job(rng, range);
    try {
      compiler::compile(job.model, job.wafer);
      return job;
    } catch (const Refusal&) {
    }
  }
}

}  // namespace weft::test
