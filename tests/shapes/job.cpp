#include "tests/shapes/job.hpp"

#include <algorithm>
#include <cmath>

#include "host/memoryx/pruning.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft {
namespace {

/// 1..most; for half of the draws the logarithm is uniform, which favors small values.
int skewed(test::Dice& dice, int most) {
  if (dice.chance(50)) return 1 + static_cast<int>(dice.below(static_cast<std::uint32_t>(most)));
  const double u = dice.below(1 << 20) / static_cast<double>(1 << 20);
  return std::min(most, static_cast<int>(std::exp(u * std::log(most + 1.0))));
}

Job draw(test::Dice& dice, const Range& range) {
  Job job;
  WaferShape& w = job.wafer;
  w.rows = skewed(dice, range.rows);
  w.cols = skewed(dice, range.cols);
  w.valves = 1 + static_cast<int>(dice.below(static_cast<std::uint32_t>(w.rows)));
  w.lanes = range.any_lanes && dice.chance(50) ? 2 << dice.below(4) : 4;
  constexpr int kSizes[] = {8, 16, 24, 48, 64, 96, 128};
  w.sram_kib = kSizes[dice.below(std::size(kSizes))];

  ModelShape& m = job.model;
  m.heads = skewed(dice, 16);
  m.hidden = m.heads * skewed(dice, 20);
  m.layers = skewed(dice, 24);
  m.filter = dice.chance(50) ? 4 * m.hidden : skewed(dice, 300);
  m.seq = skewed(dice, 100);
  m.vocab = 1 + skewed(dice, 2000);
  m.tied = dice.chance(50);
  m.micro_batch = skewed(dice, 3 * w.cols);
  job.micro_batches = skewed(dice, 5);
  job.num_csx = skewed(dice, 4);
  job.seed = dice.next();
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

Mask job_mask(const Job& job) {
  Mask mask;
  if (job.sparsity == 0) return mask;
  for (const TensorInfo& t : model_tensors(job.model))
    if (t.dims.size() == 2 && t.name.starts_with("h."))
      mask[t.name] = random_mask(t.name, t.size, job.sparsity, job.seed);
  return mask;
}

std::ostream& operator<<(std::ostream& out, const Job& job) {
  const ModelShape& m = job.model;
  const WaferShape& w = job.wafer;
  return out << w.rows << "x" << w.cols << " tiles, " << w.lanes << " lanes, " << w.sram_kib << " KiB, "
             << w.psum_cycles << " cycles, " << w.valves << " valves; hidden " << m.hidden << ", heads " << m.heads
             << ", layers " << m.layers << ", filter " << m.filter << ", seq " << m.seq << ", vocab " << m.vocab
             << (m.tied ? ", tied" : ", untied") << ", smoothing " << m.label_smoothing << ", micro-batch "
             << m.micro_batch << " x " << job.micro_batches << ", wafers " << job.num_csx << ", sparsity "
             << job.sparsity << ", seed " << job.seed;
}

Job random_job(test::Dice& dice, const Range& range) {
  for (;;) {
    const Job job = draw(dice, range);
    if (job.work() <= range.work) return job;
  }
}

Job random_legal_job(test::Dice& dice, const Range& range) {
  for (;;) {
    const Job job = random_job(dice, range);
    try {
      compile(job.model, job.wafer);
      return job;
    } catch (const Refusal&) {
    }
  }
}

}  // namespace weft
