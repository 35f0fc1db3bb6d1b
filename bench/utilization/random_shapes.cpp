#include "bench/utilization/random_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "host/cli/modes/calibrate.hpp"
#include "host/memoryx/pruning.hpp"
#include "host/planning/phases.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::bench {
namespace {

class Draw {
 public:
  Draw(unsigned seed, unsigned n) : rng_(1000 * seed + n) {}

  int between(int low, int high) { return low + static_cast<int>(rng_() % static_cast<unsigned>(high - low + 1)); }
  bool one_in(int n) { return between(1, n) == 1; }

  RandomShape any() {
    RandomShape s;
    s.wafer = {.rows = between(1, 16), .cols = between(1, 16), .sram_kib = 128};
    s.model.heads = between(1, 8);
    s.model.seq = 4 * between(2, 16);
    s.model.micro_batch = s.wafer.cols * between(1, 2);
    const int kind = between(0, 3);
    s.sparsity = kind < 2 ? 0 : kind == 2 ? 0.5 : 0.9;
    common(s);
    const int over = 2 * between(1, 2);
    if (one_in(4) && s.wafer.cols % over == 0) {
      s.wafer.sequence_columns = over;
      s.model.micro_batch = s.wafer.cols / over * between(1, 2);
    }
    return s;
  }

  /// A column holds 4, 8 or 12 tokens: of one sequence that lies over several columns, or of several short sequences.
  RandomShape short_vectors() {
    RandomShape s;
    s.wafer = {.rows = between(4, 16), .cols = between(2, 12), .sram_kib = 128};
    s.model.heads = between(1, s.wafer.rows / 2);
    const int beats = between(1, 3);
    std::vector<int> divisors;
    for (int d = 2; d <= s.wafer.cols; ++d)
      if (s.wafer.cols % d == 0) divisors.push_back(d);
    if (one_in(4)) {
      s.model.seq = s.wafer.lanes;
      s.model.micro_batch = s.wafer.cols * beats;
    } else {
      s.wafer.sequence_columns = divisors[static_cast<std::size_t>(between(0, static_cast<int>(divisors.size()) - 1))];
      s.model.seq = s.wafer.sequence_columns * s.wafer.lanes * beats - between(0, 2);
      s.model.micro_batch = s.wafer.cols / s.wafer.sequence_columns;
    }
    s.sparsity = one_in(4) ? 0.5 : 0;
    common(s);
    return s;
  }

  std::vector<float> parameters(std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(rng_() % 2001) / 20000 - 0.05F;
    return values;
  }

 private:
  void common(RandomShape& s) {
    s.wafer.valves = between(1, std::min(4, s.wafer.rows));
    s.wafer.psum_cycles = one_in(4) ? 4 : 2;
    s.model.hidden = s.model.heads * 4 * between(1, 6);
    s.model.filter = s.model.hidden * between(1, 4);
    s.model.layers = between(1, 2);
    s.model.vocab = between(16, 200);
    if (one_in(3)) {
      s.model.network = "gptj";
      s.model.rotary_dim = 2 * between(1, s.model.hidden / s.model.heads / 2);
      s.model.tied = false;
    }
    if (one_in(4)) s.model.recompute = "block";
  }

  std::mt19937 rng_;
};

compiler::Mask mask_of(const RandomShape& s) {
  compiler::Mask mask;
  if (s.sparsity == 0) return mask;
  for (const compiler::TensorInfo& t : compiler::model_tensors(s.model))
    if (t.name.starts_with("h.") && t.dims.size() == 2)
      mask[t.name] = memoryx::random_mask(t.name, t.size, s.sparsity, 1);
  return mask;
}

std::int64_t work_of(const compiler::ModelShape& m) {
  const std::int64_t weights =
      std::int64_t{m.layers} * m.hidden * (4 * m.hidden + 2 * m.filter) + std::int64_t{m.vocab} * m.hidden;
  return weights * m.micro_batch * m.seq;
}

}  // namespace

std::string RandomShape::text() const {
  std::string text = fmt::format("{}x{}, {} valve{}, {} hidden, {} heads, {} filter, {} x {} tokens, {} cycles",
                                 wafer.rows, wafer.cols, wafer.valves, wafer.valves == 1 ? "" : "s", model.hidden,
                                 model.heads, model.filter, model.micro_batch, model.seq, wafer.psum_cycles);
  if (sparsity > 0) text += fmt::format(", {:.0f} % sparse", 100 * sparsity);
  if (model.network != "gpt2") text += ", " + model.network;
  if (model.recompute != "none") text += ", recompute";
  if (wafer.sequence_columns > 1) text += fmt::format(", a sequence over {} columns", wafer.sequence_columns);
  return text;
}

RandomShape random_shape(unsigned seed, unsigned n, std::int64_t most_work) {
  for (Draw draw(seed, n);;) {
    RandomShape s = n % 3 == 2 ? draw.short_vectors() : draw.any();
    if (work_of(s.model) > most_work) continue;
    try {
      s.plan = compiler::compile(s.model, s.wafer, mask_of(s));
    } catch (const Refusal&) {
      continue;
    }
    s.parameters = draw.parameters(s.plan.parameters);
    return s;
  }
}

double estimated_over_rtl(const RandomShape& shape) {
  double cycles = 0;
  for (const planning::Phase& phase : planning::estimate_phases(shape.plan))
    cycles += static_cast<double>(phase.cycles);
  return cycles / static_cast<double>(cli::rtl_micro_batch_cycles(shape.plan, shape.parameters));
}

}  // namespace weft::bench
