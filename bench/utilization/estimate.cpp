/// Cycles that `weft run --mode compile_only` predicts for a micro-batch, against the RTL's counters, on random shapes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "host/cli/modes/calibrate.hpp"
#include "host/memoryx/pruning.hpp"
#include "host/planning/phases.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "verif/wafer.hpp"

namespace weft::bench {
namespace {

constexpr int kShapes = 30;
constexpr double kShareThatCounts = 0.02;       // share of a micro-batch: smaller phases are ignored
constexpr std::int64_t kMostWork = 60'000'000;  // weights times tokens of a micro-batch, so that it takes seconds

struct Shape {
  compiler::ModelShape model;
  machine::WaferShape wafer;
  double sparsity = 0;
};

std::string text_of(const Shape& s) {
  std::string text =
      fmt::format("{}x{}, {} valve{}, {} hidden, {} heads, {} filter, {} x {} tokens, {} cycles", s.wafer.rows,
                  s.wafer.cols, s.wafer.valves, s.wafer.valves == 1 ? "" : "s", s.model.hidden, s.model.heads,
                  s.model.filter, s.model.micro_batch, s.model.seq, s.wafer.psum_cycles);
  if (s.sparsity > 0) text += fmt::format(", {:.0f} % sparse", 100 * s.sparsity);
  if (s.model.network != "gpt2") text += ", " + s.model.network;
  if (s.model.recompute != "none") text += ", recompute";
  if (s.wafer.sequence_columns > 1) text += fmt::format(", a sequence over {} columns", s.wafer.sequence_columns);
  return text;
}

/// Draws a shape from 1x1 to 16x16; half of the shapes are sparse, a third GPT-J, a quarter with recomputed blocks, a
/// quarter with sequences over two or four columns where the mesh has them.
Shape draw(std::mt19937& rng) {
  const auto between = [&rng](int low, int high) {
    return low + static_cast<int>(rng() % static_cast<unsigned>(high - low + 1));
  };
  Shape s;
  s.wafer = {.rows = between(1, 16), .cols = between(1, 16), .sram_kib = 128};
  s.wafer.valves = between(1, std::min(4, s.wafer.rows));
  s.wafer.psum_cycles = between(0, 3) == 0 ? 4 : 2;
  s.model.heads = between(1, 8);
  s.model.hidden = s.model.heads * 4 * between(1, 6);
  s.model.filter = s.model.hidden * between(1, 4);
  s.model.layers = between(1, 2);
  s.model.seq = 4 * between(2, 16);
  s.model.vocab = between(16, 200);
  s.model.micro_batch = s.wafer.cols * between(1, 2);
  const int kind = between(0, 3);
  s.sparsity = kind < 2 ? 0 : kind == 2 ? 0.5 : 0.9;
  if (between(0, 2) == 0) {
    s.model.network = "gptj";
    s.model.rotary_dim = 2 * between(1, s.model.hidden / s.model.heads / 2);
    s.model.tied = false;
  }
  if (between(0, 3) == 0) s.model.recompute = "block";
  const int over = 2 * between(1, 2);
  if (between(0, 3) == 0 && s.wafer.cols % over == 0) {
    s.wafer.sequence_columns = over;
    s.model.micro_batch = s.wafer.cols / over * between(1, 2);
  }
  return s;
}

compiler::Mask mask_of(const Shape& s) {
  compiler::Mask mask;
  if (s.sparsity == 0) return mask;
  for (const compiler::TensorInfo& t : compiler::model_tensors(s.model))
    if (t.name.starts_with("h.") && t.dims.size() == 2)
      mask[t.name] = memoryx::random_mask(t.name, t.size, s.sparsity, 1);
  return mask;
}

/// Draws a shape that fits and takes less than minutes.
std::pair<Shape, compiler::Plan> some_plan(std::mt19937& rng) {
  for (;;) {
    const Shape s = draw(rng);
    const std::int64_t weights =
        std::int64_t{s.model.layers} * s.model.hidden * (4 * s.model.hidden + 2 * s.model.filter) +
        std::int64_t{s.model.vocab} * s.model.hidden;
    if (weights * s.model.micro_batch * s.model.seq > kMostWork) continue;
    try {
      return {s, compiler::compile(s.model, s.wafer, mask_of(s))};
    } catch (const Refusal&) {
    }
  }
}

/// Cycles of the RTL for each phase, with a rest after each op.
std::map<std::string, double> measured(const compiler::Plan& plan, const std::vector<float>& parameters) {
  const auto wafer = make_rtl_wafer(plan.wafer);
  const auto cycles_of = [&](const std::vector<machine::Message>& messages) {
    const std::uint64_t before = wafer->counters().cycles;
    wafer->feed(messages);
    wafer->settle();
    for (int row = 0; row < plan.wafer.rows; ++row) wafer->outlet(row).clear();
    return static_cast<double>(wafer->counters().cycles - before);
  };
  cycles_of(plan.load);
  const std::vector<TokenId> ids = planning::some_tokens(plan.model);
  std::map<std::string, double> cycles = {{"tokens", cycles_of(plan.tokens(ids, ids))}};
  std::vector<machine::Message> messages;
  for (const compiler::Op& op : plan.ops) {
    compiler::expand(op, parameters, messages);
    cycles[planning::of_all_layers(op.name)] += cycles_of(messages);
  }
  return cycles;
}

unsigned seed_of_shapes = 1;

}  // namespace

void seed(unsigned number) { seed_of_shapes = number; }
unsigned seed() { return seed_of_shapes; }

void estimate() {
  heading(
      "estimate: cycles of a micro-batch as compile_only expects them, over the RTL's, on random shapes; phases with a "
      "rest after each op");
  text(fmt::format("  {:>9} {:>7}  {:<34} {}\n", "cycles", "all", "the phase that is farthest off", "shape"));
  std::mt19937 rng(seed());
  double worst_batch = 0, worst_phase = 0;
  int good_batches = 0, good_phases = 0, phases = 0;
  for (int n = 0; n < kShapes; ++n) {
    const auto [shape, plan] = some_plan(rng);
    std::vector<float> parameters(plan.parameters);
    for (float& p : parameters) p = static_cast<float>(rng() % 2001) / 20000 - 0.05F;
    const auto cycles = measured(plan, parameters);
    const std::vector<planning::Phase> expected = planning::estimate_phases(plan);
    double all = 0, all_expected = 0;
    for (const auto& [name, c] : cycles) all += c;
    for (const planning::Phase& phase : expected) all_expected += static_cast<double>(phase.cycles);
    const double run = static_cast<double>(cli::rtl_micro_batch_cycles(plan, parameters));
    std::string farthest;
    double off = 0;
    for (const planning::Phase& phase : expected) {
      const double c = cycles.at(phase.name);
      if (c < kShareThatCounts * all) continue;
      const double ratio = static_cast<double>(phase.cycles + phase.rest) / c;
      ++phases;
      good_phases += std::abs(ratio - 1) <= 0.1;
      if (std::abs(ratio - 1) <= off) continue;
      off = std::abs(ratio - 1);
      farthest = fmt::format("{} {:.2f}", phase.name, ratio);
    }
    const double ratio = all_expected / run;
    good_batches += std::abs(ratio - 1) <= 0.05;
    worst_batch = std::max(worst_batch, std::abs(ratio - 1));
    worst_phase = std::max(worst_phase, off);
    text(fmt::format("  {:>9.0f} {:>7.3f}  {:<34} {}\n", run, ratio, farthest, text_of(shape)));
    point(fmt::format("{}", text_of(shape)), ratio, "estimated / RTL");
  }
  fact("micro-batches within 5 %", static_cast<double>(good_batches) / kShapes, "of the shapes");
  fact("phases above 2 % within 10 %", static_cast<double>(good_phases) / phases, "of these phases");
  limit("the micro-batch farthest off", worst_batch, "of the RTL's cycles", 0.05);
  limit("the phase farthest off", worst_phase, "of the RTL's cycles", 0.1);
}

}  // namespace weft::bench
