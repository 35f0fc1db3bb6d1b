#include "host/memoryx/rules/lion.hpp"

#include <algorithm>
#include <cstddef>

#include "host/memoryx/fixed_point.hpp"
#include "host/memoryx/weight_limit.hpp"
#include "sw/base/exact_math.hpp"
#include "sw/base/flushed_float.hpp"

namespace weft::memoryx {

LionStep::LionStep(const OptimizerOptions& options, double learning_rate, double gradient_scale)
    : beta1_(static_cast<float>(options.beta1)),
      one_minus_beta1_(static_cast<float>(1 - options.beta1)),
      beta2_(static_cast<float>(options.beta2)),
      one_minus_beta2_(static_cast<float>(1 - options.beta2)),
      rate_(static_cast<float>(learning_rate)),
      keep_(static_cast<float>(1 - learning_rate * options.weight_decay)),
      gradient_scale_(gradient_scale) {}

bool LionStep::update(const OptimizerPart& part) const {
  const FlushedFloat beta1 = beta1_, one_minus_beta1 = one_minus_beta1_;
  const FlushedFloat beta2 = beta2_, one_minus_beta2 = one_minus_beta2_, keep = part.decay ? keep_ : 1.0F;
  const float rate = rate_;
  const double scale = gradient_scale_;
  float* __restrict w = part.weights.data();
  float* __restrict m = part.first.data();
  std::int64_t* __restrict sum = part.sums.data();
  std::uint32_t largest = 0;
  for (std::size_t i = 0, n = part.weights.size(); i < n; ++i) {
    const auto g = static_cast<FlushedFloat>(to_double(sum[i]) * scale);
    sum[i] = 0;
    const auto c = static_cast<float>(beta1 * m[i] + one_minus_beta1 * g);
    const float up = c > 0 ? rate : 0, down = c < 0 ? rate : 0;
    w[i] = static_cast<float>(w[i] * keep - static_cast<FlushedFloat>(up - down));
    m[i] = static_cast<float>(beta2 * m[i] + one_minus_beta2 * g);
    largest = std::max(largest, weight_size(w[i]));
  }
  return largest < kWeightSizeLimit;
}

std::span<const OptimizerRule> lion_rules() {
  static const OptimizerRule rules[] = {
      {.name = "Lion",
       .betas = true,
       .default_betas = {0.9, 0.99},
       .state_vectors = [](const OptimizerOptions&) { return 1; },
       .make = [](const OptimizerOptions& options, std::uint64_t, double learning_rate,
                  double scale) -> std::shared_ptr<const OptimizerStep> {
         return std::make_shared<LionStep>(options, learning_rate, scale);
       }}};
  return rules;
}

}  // namespace weft::memoryx
