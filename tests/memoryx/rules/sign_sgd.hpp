/// Sign SGD: w = w - rate sign(g).
#pragma once

#include "host/memoryx/optimizer.hpp"

namespace weft::memoryx {

class SignSgdStep final : public OptimizerStep {
 public:
  explicit SignSgdStep(double learning_rate) : rate_(static_cast<float>(learning_rate)) {}
  bool update(const OptimizerPart& part) const override;

 private:
  float rate_;
};

std::span<const OptimizerRule> sign_sgd_rules();

}  // namespace weft::memoryx
