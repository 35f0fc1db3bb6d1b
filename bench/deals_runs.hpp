/// Training with masks that move against masks that stay.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weft::bench {

/// Steps of a run, steps between deals, and the last of them (of gpt_tiny, 90 % zero).
constexpr int kDealsSteps = 2000, kDealsFreq = 50, kDealsStop = 1500, kDealsEval = 200;
constexpr double kDealsSparsity = 0.9;

/// What is compared, and with what seeds: of the initial weights, the masks and the order of samples.
struct DealsRun {
  std::string algorithm;  ///< static, set or rigl; dense: no masks
  int freq = kDealsFreq;
  int seed = 1;
};

struct DealsCurve {
  DealsRun run;
  std::uint64_t kept = 0;                         ///< parameters, in the end
  std::vector<std::pair<int, double>> eval_loss;  ///< after a step, on text that was not trained on
};

/// Trains gpt_tiny with seeds 1, 2, ..., all at once, on the first nine tenths of configs/corpus.txt, and evaluates on
/// the rest. Throws std::runtime_error if no folder can be made for them.
std::vector<DealsCurve> deals_curves(const std::string& algorithm, int seeds, int freq = kDealsFreq);

/// Seconds of the processor, so that other load on the machine does not count: medians of some.
struct DealCost {
  double step = 0;     ///< of a step without a deal
  double compile = 0;  ///< of a plan, both halves
  double mask = 0;     ///< of the half that a mask has: with_mask()
  double choice = 0;   ///< of the weights that SET exchanges
  /// What a deal adds to its step; rigl's has a gradient of all weights.
  double set = 0, rigl = 0;
};

/// Of a configuration in configs/, 90 % zero, on one wafer of the functional model.
DealCost deal_cost(const std::string& config);

}  // namespace weft::bench
