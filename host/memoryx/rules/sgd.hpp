/// Stochastic gradient descent, with momentum (Sutskever et al. 2013) and without.
///
///   g = gradient_sum * gradient_scale          (in double, rounded once)
///   g = g + l2 w                               (where weight decays)
///   m = momentum m + take g                    (take: 1 - dampening; in the first step 1)
///   w = w - rate m                             (nesterov: rate (g + momentum m); without momentum: rate g)
/// As torch.optim.SGD, whose buffer begins as the first gradient.
#pragma once

#include "host/memoryx/optimizer.hpp"

namespace weft::memoryx {

class SgdStep final : public OptimizerStep {
 public:
  /// `step` counts from 0.
  SgdStep(const OptimizerOptions& options, std::uint64_t step, double learning_rate, double gradient_scale);
  bool update(const OptimizerPart& part) const override;

 private:
  template <bool kMomentum, bool kNesterov>
  bool update_all(const OptimizerPart& part) const;

  float momentum_, take_, rate_, l2_;
  bool nesterov_;
  double gradient_scale_;
};

std::span<const OptimizerRule> sgd_rules();

}  // namespace weft::memoryx
