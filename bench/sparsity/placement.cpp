#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "bench/benches.hpp"
#include "bench/common/work.hpp"
#include "bench/print.hpp"
#include "sw/compiler/memory/memory_plan.hpp"

namespace weft::bench {
namespace {

constexpr int kFeatures = 24576, kRows = 850;  // squared: 604 million weights, the size of a GPT-3 matrix
constexpr double kKept = 0.1;

/// For each feature, the fraction of its weights that are kept: a power of its rank, at most 1, kKept on average.
std::vector<double> shares(double exponent) {
  std::vector<double> power;
  for (int k = 1; k <= kFeatures; ++k) power.push_back(std::pow(k, -exponent));
  const auto kept = [&](double factor) {
    double sum = 0;
    for (const double p : power) sum += std::min(1.0, factor * p);
    return sum / kFeatures;
  };
  double low = 0, high = 1;
  while (kept(high) < kKept) high *= 2;
  for (int k = 0; k < 60; ++k) (kept((low + high) / 2) < kKept ? low : high) = (low + high) / 2;
  for (double& p : power) p = std::min(1.0, high * p);
  std::shuffle(power.begin(), power.end(), std::mt19937(1));
  return power;
}

/// A mask of a matrix [features][features], with a bit for each weight; the kept weights of a feature are chosen at
/// random.
std::vector<bool> power_law_mask(double exponent) {
  std::vector<bool> mask(std::size_t{kFeatures} * kFeatures);
  std::mt19937 random(2);
  std::size_t at = 0;
  for (const double share : shares(exponent)) {
    std::geometric_distribution<std::size_t> gap(std::min(share, 0.999999));
    for (std::size_t k = gap(random); k < kFeatures; k += 1 + gap(random)) mask[at + k] = true;
    at += kFeatures;
  }
  return mask;
}

}  // namespace

void placement() {
  heading(
      fmt::format("placement: the fullest of {} rows over their mean; {} x {} weights, {:g} % kept, of features by a "
                  "power of their rank",
                  kRows, kFeatures, kFeatures, 100 * kKept));
  const compiler::ModelShape model{
      .vocab = 1, .hidden = kFeatures, .layers = 1, .heads = 1, .filter = kFeatures, .seq = 1};
  const std::vector<compiler::TensorInfo> tensors = {{.name = "h.0.mlp.c_fc.weight",
                                                      .dims = {kFeatures, kFeatures},
                                                      .size = std::uint64_t{kFeatures} * kFeatures,
                                                      .roles = {network::Role::Hidden, network::Role::Filter}}};
  text(fmt::format("  {:>8} {:>16} {:>10} {:>10} {:>10}\n", "exponent", "heaviest / mean", "in order", "interleaved",
                   "compiler"));
  double worst = 1;
  const double seconds = processor_seconds([&] {
    for (const double exponent : {0.0, 0.25, 0.5, 0.75, 1.0, 1.25}) {
      const compiler::Loads loads = compiler::count_loads(model, tensors, power_law_mask(exponent));
      const compiler::Space in_order = compiler::Space::interleaved(compiler::heaviest_first(kFeatures, {}), kRows),
                            interleaved =
                                compiler::Space::interleaved(compiler::heaviest_first(kFeatures, loads.hidden), kRows);
      const compiler::Spaces placed(model, kRows, loads);  // as in compile()
      const double heaviest = static_cast<double>(*std::ranges::max_element(loads.hidden)),
                   all =
                       static_cast<double>(std::accumulate(loads.hidden.begin(), loads.hidden.end(), std::uint64_t{0}));
      const double fullest = placed.hidden.fullest_over_mean(loads.hidden);
      worst = std::max({worst, fullest, placed.filter.fullest_over_mean(loads.filter)});
      text(fmt::format("  {:>8} {:>16.1f} {:>10.3f} {:>10.3f} {:>10.3f}\n", exponent, heaviest * kFeatures / all,
                       in_order.fullest_over_mean(loads.hidden), interleaved.fullest_over_mean(loads.hidden), fullest));
      const std::string name = fmt::format("exponent {}", exponent);
      point(name + ", in order", in_order.fullest_over_mean(loads.hidden), "of the mean");
      point(name + ", interleaved", interleaved.fullest_over_mean(loads.hidden), "of the mean");
      point(name + ", by the compiler", fullest, "of the mean");
    }
  });
  limit("the fullest row, any exponent, inputs and outputs", worst, "of the mean", 1.05);
  fact("masks, counts and placements", seconds, "s");
}

}  // namespace weft::bench
