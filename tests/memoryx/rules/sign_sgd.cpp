#include "tests/memoryx/rules/sign_sgd.hpp"

#include <cmath>

#include "host/memoryx/weight_limit.hpp"
#include "sw/base/flushed_float.hpp"

namespace weft::memoryx {

bool SignSgdStep::update(const OptimizerPart& part) const {
  bool sound = true;
  for (std::size_t i = 0; i < part.weights.size(); ++i) {
    const FlushedFloat sign = static_cast<float>((part.sums[i] > 0) - (part.sums[i] < 0));
    part.weights[i] = static_cast<float>(part.weights[i] - rate_ * sign);
    part.sums[i] = 0;
    sound = sound && weight_size(part.weights[i]) < kWeightSizeLimit;
  }
  return sound;
}

std::span<const OptimizerRule> sign_sgd_rules() {
  static const OptimizerRule rules[] = {{.name = "SignSGD",
                                         .default_betas = {0.5, 0.75},
                                         .state_vectors = [](const OptimizerOptions&) { return 0; },
                                         .make = [](const OptimizerOptions&, std::uint64_t, double learning_rate,
                                                    double) -> std::shared_ptr<const OptimizerStep> {
                                           return std::make_shared<SignSgdStep>(learning_rate);
                                         }}};
  return rules;
}

}  // namespace weft::memoryx
