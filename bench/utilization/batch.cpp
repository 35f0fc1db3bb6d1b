#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "bench/benches.hpp"
#include "bench/common/gpt.hpp"
#include "bench/common/work.hpp"
#include "bench/print.hpp"
#include "host/planning/phases.hpp"
#include "sw/base/refusal.hpp"

namespace weft::bench {
namespace {

/// gpt_tiny with `sequences` sequences per micro-batch; nullopt if they do not fit.
std::optional<Gpt> gpt_of(int sequences) {
  config::Config config = tiny_config("rtl");
  config.model.micro_batch = sequences;
  try {
    return Gpt(config);
  } catch (const Refusal&) {
    return {};
  }
}

/// Fraction of the columns' token places that the micro-batch fills; all places are computed.
double filled_of(const Gpt& gpt) {
  return static_cast<double>(gpt.config.model.micro_batch) * gpt.config.model.seq /
         (gpt.config.wafer.cols * gpt.plan.tokens_per_column);
}

struct Bound {
  std::string name;
  double percent;  ///< share of the estimated cycles
};

std::vector<Bound> bounds_of(const Gpt& gpt) {
  planning::Phase total;
  for (const planning::Phase& phase : planning::estimate_phases(gpt.plan)) total.add(phase);
  std::vector<Bound> bounds;
  for (std::size_t b = 0; b < planning::kBoundNames.size(); ++b)
    if (total.bound_cycles[b] > 0)
      bounds.push_back({std::string(planning::kBoundNames[b]),
                        100 * static_cast<double>(total.bound_cycles[b]) / static_cast<double>(total.cycles)});
  return bounds;
}

/// Reasons for a low utilization: places without a token, if any, and the bounds of the cycles.
std::string slow_by(const Gpt& gpt, const std::vector<Bound>& bounds) {
  std::string text;
  if (const double filled = filled_of(gpt); filled < 1)
    text = fmt::format("{:.0f} % of the columns' places are empty", 100 * (1 - filled));
  for (const Bound& bound : bounds)
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", bound.name, bound.percent);
  return text;
}

}  // namespace

void batch() {
  heading("batch: a micro-batch of gpt_tiny of one sequence upward, on one RTL wafer, 4x4 tiles");
  text(fmt::format("  {:>9} {:>9} {:>9} {:>7} {:>7} {:>9}  {}\n", "sequences", "cycles", "a token", "FPU", "filled",
                   "model's", "cycles are bound by (estimate)"));
  for (int sequences = 1; sequences <= 64; sequences *= 2) {
    const std::optional<Gpt> gpt = gpt_of(sequences);
    if (!gpt) {
      text(fmt::format("  {:>9} do not fit into {} KiB a tile\n", sequences, tiny_config("rtl").wafer.sram_kib));
      break;
    }
    const machine::WaferShape& w = gpt->config.wafer;
    const auto wafer = make_rtl_wafer(w);
    wafer->feed(gpt->plan.load);
    wafer->settle();
    const Work work = measure(*wafer, [&] {
      wafer->feed(gpt->micro_batch);
      wafer->settle();
    });
    const auto cycles = static_cast<double>(work.done.cycles);
    const double a_token = cycles / (sequences * gpt->config.model.seq);
    const double own = model_multiply_adds(gpt->config.model) / (a_token * w.rows * w.cols * w.lanes);
    const std::vector<Bound> bounds = bounds_of(*gpt);
    text(fmt::format("  {:>9} {:>9} {:>9.1f} {:>7.3f} {:>7.2f} {:>9.3f}  {}\n", sequences, work.done.cycles, a_token,
                     work.fpu_utilization(), filled_of(*gpt), own, slow_by(*gpt, bounds)));
    const std::string name = fmt::format("{} sequences", sequences);
    point(name, cycles, "cycles");
    point(name + ", FPU", work.fpu_utilization(), "FPU utilization");
    point(name + ", places with a token", filled_of(*gpt), "of all columns'");
    point(name + ", what the model itself asks for", own, "FPU utilization");
    for (const Bound& bound : bounds) point(name + ", bound by " + bound.name, bound.percent, "% of the estimate");
  }
  text("  FPU: multiply-adds of what the lanes could do, those on empty places, too; filled: places with a token;\n");
  text("  model's: multiply-adds that the model itself asks for.\n");
}

}  // namespace weft::bench
