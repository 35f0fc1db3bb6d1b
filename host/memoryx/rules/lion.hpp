/// Lion (Chen et al. 2023, "Symbolic Discovery of Optimization Algorithms", algorithm 2).
///
///   g = gradient_sum * gradient_scale          (in double, rounded once)
///   c = beta1 m + (1 - beta1) g
///   w = w keep - rate sign(c)                  (sign(0) = 0)
///   m = beta2 m + (1 - beta2) g
#pragma once

#include "host/memoryx/optimizer.hpp"

namespace weft::memoryx {

class LionStep final : public OptimizerStep {
 public:
  LionStep(const OptimizerOptions& options, double learning_rate, double gradient_scale);
  bool update(const OptimizerPart& part) const override;

 private:
  float beta1_, one_minus_beta1_, beta2_, one_minus_beta2_;
  float rate_, keep_;  // keep_: 1 - learning rate * weight decay
  double gradient_scale_;
};

std::span<const OptimizerRule> lion_rules();

}  // namespace weft::memoryx
