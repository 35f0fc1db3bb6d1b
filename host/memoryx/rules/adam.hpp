/// AdamW (Loshchilov, Hutter 2019), and Adam with L2 regularisation (Kingma, Ba 2015).
///
///   g = gradient_sum * gradient_scale          (in double, rounded once)
///   g = g + l2 w                               (Adam, where weight decays)
///   m = beta1 m + (1 - beta1) g
///   v = beta2 v + (1 - beta2) (g g)
///   w = w keep - rate (m / (sqrt(v) inverse_root + eps))
/// As PyTorch's: epsilon is added after the correction of the second moment's bias.
#pragma once

#include "host/memoryx/optimizer.hpp"

namespace weft::memoryx {

class AdamStep final : public OptimizerStep {
 public:
  /// `step` counts from 0 (t = step + 1).
  AdamStep(const OptimizerOptions& options, std::uint64_t step, double learning_rate, double gradient_scale);
  bool update(const OptimizerPart& part) const override;

  float beta1, one_minus_beta1, beta2, one_minus_beta2;
  float eps;
  float rate;             ///< learning rate / (1 - beta1^t)
  float inverse_root;     ///< 1 / sqrt(1 - beta2^t)
  float keep;             ///< 1 - learning rate * weight decay; 1 for Adam
  float l2;               ///< weight decay; 0 for AdamW
  double gradient_scale;  ///< for the fixed-point sums
};

std::span<const OptimizerRule> adam_rules();

}  // namespace weft::memoryx
