#include <fmt/format.h>

#include <iterator>

#include "bench/chart.hpp"
#include "bench/figure7.hpp"

namespace weft::bench {
namespace {

constexpr int kColumns[] = {2, 4, 8, 16, 32, 64, 128, 192}, kMost = 192;

std::string seconds(double s) { return s < 1000 ? fmt::format("{:.3g} s", s) : fmt::format("{:.0f} s", s); }

}  // namespace

std::string figure7_picture(const std::vector<ScaledModel>& models) {
  static constexpr const char* kColors[] = {"#c2571a", "#d99a2b", "#5b9a3c", "#0b62a4", "#5a3e99"};
  Axis x{.label = "wafers", .first = 1, .last = kMost, .logarithmic = true, .ticks = {}};
  Axis y{.label = "times as fast as one wafer", .first = 1, .last = kMost, .logarithmic = true, .ticks = {}};
  for (const int n : {1, 2, 4, 8, 16, 32, 64, 128, kMost}) {
    x.ticks.emplace_back(n, std::to_string(n));
    y.ticks.emplace_back(n, std::to_string(n));
  }
  Chart chart{.x = x, .y = y, .legend_above = true, .series = {}};
  chart.series.push_back({.name = "linear", .color = "#bbb", .line = true, .at = {{1, 1}, {kMost, kMost}}});
  std::vector<Series> dots;
  for (std::size_t k = models.size(); k-- > 0;) {  // in their order in the chart
    const char* color = kColors[k % std::size(kColors)];
    Series line{.name = "GPT-3 " + models[k].name, .color = color, .line = true, .at = {}};
    for (const auto& [wafers, step] : models[k].seconds) line.at.emplace_back(wafers, models[k].speed_up(wafers));
    dots.push_back({.name = "", .color = color, .filled = false, .at = line.at});
    chart.series.push_back(std::move(line));
  }
  chart.series.insert(chart.series.end(), dots.begin(), dots.end());
  return chart.svg();
}

std::string figure7_table(const std::vector<ScaledModel>& models) {
  std::string text = "| | micro-batches | a step on 1 |", rule = "|---|---:|---:|";
  for (const int wafers : kColumns) text += fmt::format(" {} |", wafers), rule += "---:|";
  text += " rounds allow |\n" + rule + "---:|\n";
  for (const ScaledModel& model : models) {
    text += fmt::format("| {} | {} | {} |", model.name, model.micro_batches, seconds(model.seconds.at(1)));
    for (const int wafers : kColumns) text += fmt::format(" {:.1f} |", model.speed_up(wafers));
    text += fmt::format(" {:.1f} |\n", model.most(kMost));
  }
  return text;
}

std::string figure7_variants(const std::vector<ScaledModel>& models, const DrawnSystem& system,
                             const swarm_model::Machine& measured) {
  std::string text = "| | drawn | one link of 100 Gb/s | nodes and members as measured |\n|---|---:|---:|---:|\n";
  for (const ScaledModel& model : models) {
    text += fmt::format("| {} | {:.1f}, {} |", model.name, model.speed_up(kMost), seconds(model.seconds.at(kMost)));
    swarm_model::Machine slow = machine_of(system, model.work), processes = slow;
    slow.bandwidth = 12.5e9;
    processes.costs = measured.costs;
    for (const swarm_model::Machine& machine : {slow, processes}) {
      const auto on = [&](int wafers) {
        return swarm_model::step_seconds(model.work, machine, wafers, model.micro_batches);
      };
      const double most = on(kMost);
      text += fmt::format(" {:.1f}, {} |", on(1) / most, seconds(most));
    }
    text += "\n";
  }
  return text;
}

}  // namespace weft::bench
