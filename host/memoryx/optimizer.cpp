#include "host/memoryx/optimizer.hpp"

#include <algorithm>

#include "host/memoryx/adam.hpp"
#include "host/memoryx/lion.hpp"
#include "host/memoryx/sgd.hpp"

namespace weft {

int state_vectors(const OptimizerOptions& options) {
  switch (options.rule) {
    case OptimizerOptions::Rule::AdamW:
    case OptimizerOptions::Rule::Adam:
      return 2;
    case OptimizerOptions::Rule::SGD:
      return options.momentum > 0 ? 1 : 0;
    case OptimizerOptions::Rule::Lion:
      return 1;
  }
  return 2;  // not reached
}

std::shared_ptr<const OptimizerStep> make_optimizer_step(const OptimizerOptions& options, std::uint64_t step,
                                                         double learning_rate, double gradient_scale) {
  switch (options.rule) {
    case OptimizerOptions::Rule::SGD:
      return std::make_shared<SgdStep>(options, step, learning_rate, gradient_scale);
    case OptimizerOptions::Rule::Lion:
      return std::make_shared<LionStep>(options, learning_rate, gradient_scale);
    default:
      return std::make_shared<AdamStep>(options, step, learning_rate, gradient_scale);
  }
}

double clip_factor(const OptimizerOptions& options, double norm) {
  if (options.max_gradient_norm <= 0) return 1;
  return std::min(1.0, options.max_gradient_norm / (norm + 1e-6));
}

}  // namespace weft
