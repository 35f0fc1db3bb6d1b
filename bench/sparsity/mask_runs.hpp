/// Training runs with dynamic and static sparsity.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weft::bench {

/// Steps of a run, steps between mask updates, the last step with a mask update, and steps between evaluations (for
/// gpt_tiny, 90 % zero).
constexpr int kMaskSteps = 2000, kMaskFreq = 50, kMaskStop = 1500, kMaskEval = 200;
constexpr double kMaskSparsity = 0.9;

/// Parameters of a run. The seed determines the initial weights, the masks and the order of samples.
struct MaskRun {
  std::string algorithm;  ///< static, set or rigl; dense: no masks
  int freq = kMaskFreq;
  int seed = 1;
};

struct MaskCurve {
  MaskRun run;
  std::uint64_t kept = 0;                         ///< parameters at the end
  std::vector<std::pair<int, double>> eval_loss;  ///< (step, loss) on text that was not trained on
};

/// Trains gpt_tiny with seeds 1, 2, ..., all in parallel, on the first nine tenths of configs/corpus.txt, and evaluates
/// on the rest. Throws std::runtime_error if no temporary folder can be created.
std::vector<MaskCurve> mask_curves(const std::string& algorithm, int seeds, int freq = kMaskFreq);

/// Costs of a mask update in seconds of processor time, which other load on the machine does not affect: medians of
/// several.
struct UpdateCost {
  double step = 0;     ///< a step without mask update
  double compile = 0;  ///< compiling both halves of a plan
  double mask = 0;     ///< compiling the half that depends on the mask: with_mask()
  double choice = 0;   ///< choosing the weights that SET exchanges
  /// Additional time of a step with a mask update; RigL's includes a gradient of all weights.
  double set = 0, rigl = 0;
};

/// Costs for a configuration in configs/, 90 % zero, on one wafer of the functional model.
UpdateCost update_cost(const std::string& config);

}  // namespace weft::bench
