/// `weft-deals-page DOCS`: trains with dynamic and static sparsity, writes DOCS/deals.svg and the tables of
/// DOCS/dynamic_sparsity.md. `weft-deals-page DOCS costs`: writes only the table of the costs of a mask update.
/// `weft-deals-page DOCS rigl 200`: prints the result of RigL, or SET, with a mask update every 200 steps, and writes
/// nothing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <numeric>
#include <string_view>

#include "bench/chart.hpp"
#include "bench/deals_runs.hpp"
#include "bench/page.hpp"

namespace {

using namespace weft::bench;

constexpr const char* kAlgorithms[] = {"static", "set", "rigl", "dense"};
constexpr const char* kColors[] = {"#888", "#c2571a", "#0b62a4", "#5b9a3c"};
constexpr const char* kNames[] = {"static, random", "SET", "RigL", "dense"};
constexpr int kSeeds = 3;

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Evaluation `k` of each seed.
std::vector<double> losses_at(const std::vector<DealsCurve>& curves, std::size_t k) {
  std::vector<double> all;
  for (const DealsCurve& curve : curves) all.push_back(curve.eval_loss[k].second);
  return all;
}

/// Last evaluation of each seed.
std::vector<double> ends(const std::vector<DealsCurve>& curves) {
  return losses_at(curves, curves[0].eval_loss.size() - 1);
}

/// Chart of the sparse runs, relative to the mean of the runs with static masks: the differences are small compared
/// with a run's improvement.
std::string picture(const std::vector<std::vector<DealsCurve>>& all) {
  constexpr std::size_t kSparse = 3;
  double most = 0.02;
  std::vector<Series> series;
  for (std::size_t a = 0; a < kSparse; ++a) {
    Series line{.name = kNames[a], .color = kColors[a], .line = true, .at = {}};
    Series dots{.name = "", .color = kColors[a], .filled = a > 0, .at = {}};
    for (std::size_t k = 0; k < all[a][0].eval_loss.size(); ++k) {
      const int step = all[a][0].eval_loss[k].first;
      const double of_static = mean(losses_at(all[0], k));
      for (const double loss : losses_at(all[a], k)) {
        dots.at.emplace_back(step, loss - of_static);
        most = std::max(most, std::abs(loss - of_static));
      }
      line.at.emplace_back(step, mean(losses_at(all[a], k)) - of_static);
    }
    series.push_back(line);
    series.push_back(dots);
  }
  Axis x{.label = "steps", .first = 0, .last = kDealsSteps, .ticks = {}};
  for (int step = 0; step <= kDealsSteps; step += kDealsSteps / 5) x.ticks.emplace_back(step, std::to_string(step));
  const int steps = static_cast<int>(std::ceil(most / 0.02));
  Axis y{.label = "eval loss less that of masks that stay, nats",
         .first = -0.02 * steps,
         .last = 0.02 * steps,
         .ticks = {}};
  for (int n = -steps; n <= steps; ++n) y.ticks.emplace_back(0.02 * n, fmt::format("{:.2f}", 0.02 * n));
  return Chart{.x = x, .y = y, .series = series}.svg();
}

std::string table(const std::vector<std::vector<DealsCurve>>& all) {
  std::string text =
      "| | parameters left | seed 1 | seed 2 | seed 3 | mean | mean less static's |\n|:--|--:|--:|--:|--:|--:|--:|\n";
  const double of_static = mean(ends(all[0]));
  for (std::size_t a = 0; a < all.size(); ++a) {
    const std::vector<double> losses = ends(all[a]);
    text += fmt::format("| {} | {} |", kNames[a], all[a][0].kept);
    for (const double loss : losses) text += fmt::format(" {:.4f} |", loss);
    text += fmt::format(" {:.4f} | {:+.4f} |\n", mean(losses), mean(losses) - of_static);
  }
  return text;
}

std::string costs() {
  std::string text =
      "| | a step | a whole compile | its half that a mask has | choosing weights | a deal of set | a deal of rigl |\n"
      "|:--|--:|--:|--:|--:|--:|--:|\n";
  for (const char* config : {"gpt_tiny", "gpt_small"}) {
    const DealCost cost = deal_cost(config);
    text += fmt::format("| {} | {:.1f} ms | {:.1f} ms | {:.1f} ms | {:.1f} ms | {:.1f} ms | {:.1f} ms |\n", config,
                        1000 * cost.step, 1000 * cost.compile, 1000 * cost.mask, 1000 * cost.choice, 1000 * cost.set,
                        1000 * cost.rigl);
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const bool costs_alone = argc == 3 && std::string_view(argv[2]) == "costs";
  const bool other = argc == 4 && std::atoi(argv[3]) > 0 &&
                     (std::string_view(argv[2]) == "rigl" || std::string_view(argv[2]) == "set");
  if (argc != 2 && !costs_alone && !other) {
    std::cerr << "weft-deals-page: name the folder of dynamic_sparsity.md. HINT: make deals\n";
    return 2;
  }
  try {
    const std::string folder = argv[1], path = folder + "/dynamic_sparsity.md";
    if (other) {
      const std::vector<double> losses = ends(deals_curves(argv[2], kSeeds, std::atoi(argv[3])));
      for (const double loss : losses) std::cout << fmt::format("{:.4f}\n", loss);
      std::cout << fmt::format("mean {:.4f}\n", mean(losses));
      return 0;
    }
    std::string page = read_page(path);
    replace_section(page, "costs", costs());
    if (costs_alone) {
      write_page(path, page);
      return 0;
    }
    std::vector<std::vector<DealsCurve>> all;
    for (const char* algorithm : kAlgorithms) {
      all.push_back(deals_curves(algorithm, kSeeds));
      for (const double loss : ends(all.back()))
        std::cout << fmt::format("{}: {:.4f}\n", algorithm, loss) << std::flush;
    }
    replace_section(page, "losses", table(all));
    write_page(folder + "/deals.svg", picture(all));
    write_page(path, page);
    std::cout << path << ", " << folder << "/deals.svg\n";
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "weft-deals-page: " << e.what() << '\n';
    return 1;
  }
}
