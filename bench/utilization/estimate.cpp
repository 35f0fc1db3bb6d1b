/// Cycles that `weft run --mode compile_only` predicts for a micro-batch, against the RTL's counters, on random shapes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "bench/utilization/random_shapes.hpp"
#include "host/cli/modes/calibrate.hpp"
#include "host/planning/phases.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "verif/wafer.hpp"

namespace weft::bench {
namespace {

constexpr unsigned kShapes = 30;
constexpr double kShareThatCounts = 0.02;  // share of a micro-batch: smaller phases are ignored

/// Cycles of the RTL for each phase, with a rest after each op.
std::map<std::string, double> measured(const RandomShape& shape) {
  const compiler::Plan& plan = shape.plan;
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
    compiler::expand(op, shape.parameters, messages);
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
  double worst_batch = 0, worst_phase = 0;
  int good_batches = 0, good_phases = 0, phases = 0;
  for (unsigned n = 0; n < kShapes; ++n) {
    const RandomShape shape = random_shape(seed(), n);
    const auto cycles = measured(shape);
    const std::vector<planning::Phase> expected = planning::estimate_phases(shape.plan);
    double all = 0, all_expected = 0;
    for (const auto& [name, c] : cycles) all += c;
    for (const planning::Phase& phase : expected) all_expected += static_cast<double>(phase.cycles);
    const double run = static_cast<double>(cli::rtl_micro_batch_cycles(shape.plan, shape.parameters));
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
    text(fmt::format("  {:>9.0f} {:>7.3f}  {:<34} {}\n", run, ratio, farthest, shape.text()));
    point(shape.text(), ratio, "estimated / RTL");
  }
  fact("micro-batches within 5 %", static_cast<double>(good_batches) / kShapes, "of the shapes");
  fact("phases above 2 % within 10 %", static_cast<double>(good_phases) / phases, "of these phases");
  limit("the micro-batch farthest off", worst_batch, "of the RTL's cycles", 0.05);
  limit("the phase farthest off", worst_phase, "of the RTL's cycles", 0.1);
}

}  // namespace weft::bench
