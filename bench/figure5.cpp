#include "bench/figure5.hpp"

#include <fmt/format.h>

#include <iterator>
#include <stdexcept>

#include "bench/benches.hpp"
#include "bench/chart.hpp"
#include "bench/layer.hpp"
#include "bench/page.hpp"
#include "bench/print.hpp"
#include "host/planning/phases.hpp"

namespace weft::bench {
namespace {

constexpr double kSparsities[] = {0, 0.5, 0.75, 0.9, 0.95, 0.975, 0.99};
constexpr int kWidest = 2048, kWidestOnRtl = 512;

/// A layer on a fixed mesh, so that a wide layer has more features per row. As many heads as rows; 2 columns, run in
/// lockstep.
LayerShape layer_of(int hidden) {
  return {.rows = 32, .cols = 2, .hidden = hidden, .heads = 32, .seq = 16, .sequences = 2};
}

LayerCycles estimated_layer_cycles(const Plan& plan) {
  CycleEstimate estimate(plan);
  std::vector<std::uint64_t> cycles;
  for (const Op& op : plan.ops) cycles.push_back(estimate.of(op).cycles);
  return layer_cycles(plan, cycles);
}

std::string percent(double sparsity) { return fmt::format("{:g} %", 100 * sparsity); }

}  // namespace

std::vector<SpeedUp> figure5_points() {
  std::vector<SpeedUp> points;
  for (int hidden = 64; hidden <= kWidest; hidden *= 2) {
    LayerCycles estimated, counted;
    for (const double sparsity : kSparsities) {
      const Plan plan = layer_plan(layer_of(hidden), sparsity);
      const LayerCycles one = estimated_layer_cycles(plan),
                        rtl = hidden <= kWidestOnRtl ? rtl_layer_cycles(plan) : LayerCycles{};
      if (sparsity == 0) estimated = one, counted = rtl;
      const auto over = [](const LayerCycles& dense, const LayerCycles& sparse) {
        return sparse.all == 0 ? 0 : static_cast<double>(dense.all) / static_cast<double>(sparse.all);
      };
      points.push_back({hidden, sparsity, over(estimated, one), over(counted, rtl)});
    }
  }
  return points;
}

std::string figure5_picture(const std::vector<SpeedUp>& points) {
  static constexpr const char* kColors[] = {"#c2571a", "#d99a2b", "#5b9a3c", "#1f9e9a", "#0b62a4", "#5a3e99", "#222"};
  Axis x{.label = "share of weights that are zero (axis: dense weights for one that is left)",
         .first = 1,
         .last = 100,
         .logarithmic = true,
         .ticks = {}};
  for (const double sparsity : kSparsities) x.ticks.emplace_back(1 / (1 - sparsity), percent(sparsity));
  Axis y{.label = "cycles dense / sparse", .first = 1, .last = 100, .logarithmic = true, .ticks = {}};
  for (const int times : {1, 2, 5, 10, 20, 50, 100}) y.ticks.emplace_back(times, std::to_string(times));
  Chart chart{.x = x, .y = y, .legend_above = true, .series = {}};
  chart.series.push_back({.name = "no cost but weights", .color = "#bbb", .line = true, .at = {{1, 1}, {100, 100}}});
  std::vector<Series> lines, dots;
  for (const SpeedUp& p : points) {
    const std::string name = fmt::format("width {}", p.hidden);
    if (lines.empty() || lines.back().name != name) {
      const char* color = kColors[lines.size() % std::size(kColors)];
      lines.push_back({.name = name, .color = color, .line = true, .at = {}});
      dots.push_back({.name = "", .color = color, .filled = false, .at = {}});
    }
    lines.back().at.emplace_back(1 / (1 - p.sparsity), p.estimated);
    if (p.rtl > 0) dots.back().at.emplace_back(1 / (1 - p.sparsity), p.rtl);
  }
  chart.series.insert(chart.series.end(), lines.rbegin(), lines.rend());
  chart.series.insert(chart.series.end(), dots.begin(), dots.end());
  chart.series.push_back({.name = "counted in the RTL (lines: estimate)", .color = "#222", .filled = false, .at = {}});
  return chart.svg();
}

void figure5() {
  const LayerShape s = layer_of(64);
  heading(
      fmt::format("figure5: cycles of a block's ops, dense over sparse, on {}x{} tiles with {} tokens a column; "
                  "estimate, and RTL in brackets",
                  s.rows, s.cols, s.seq * s.sequences));
  const std::vector<SpeedUp> points = figure5_points();
  std::string header = fmt::format("  {:>6}", "width");
  for (const double sparsity : kSparsities) header += fmt::format(" {:>14}", percent(sparsity));
  text(header);
  for (const SpeedUp& p : points) {
    if (p.sparsity == 0) text(fmt::format("\n  {:>6}", p.hidden));
    text(fmt::format(" {:>14}", p.rtl > 0 ? fmt::format("{:.2f} ({:.2f})", p.estimated, p.rtl)
                                          : fmt::format("{:.2f}", p.estimated)));
    const std::string name = fmt::format("width {}, {} zero", p.hidden, percent(p.sparsity));
    point(name + ", estimate", p.estimated, "times");
    if (p.rtl > 0) point(name + ", RTL", p.rtl, "times");
  }
  const std::string path = WEFT_DOCS "/figure5.svg";
  write_page(path, figure5_picture(points));
  text("\n  docs/figure5.svg\n");
}

}  // namespace weft::bench
