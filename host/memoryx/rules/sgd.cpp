#include "host/memoryx/rules/sgd.hpp"

#include <algorithm>
#include <cstddef>

#include "host/memoryx/fixed_point.hpp"
#include "host/memoryx/weight_limit.hpp"
#include "sw/base/exact_math.hpp"
#include "sw/base/flushed_float.hpp"

namespace weft::memoryx {

SgdStep::SgdStep(const OptimizerOptions& options, std::uint64_t step, double learning_rate, double gradient_scale)
    : momentum_(static_cast<float>(options.momentum)),
      take_(static_cast<float>(step == 0 ? 1 : 1 - options.dampening)),
      rate_(static_cast<float>(learning_rate)),
      l2_(static_cast<float>(options.weight_decay)),
      nesterov_(options.nesterov),
      gradient_scale_(gradient_scale) {}

template <bool kMomentum, bool kNesterov>
bool SgdStep::update_all(const OptimizerPart& part) const {
  const FlushedFloat momentum = momentum_, take = take_, rate = rate_, l2 = part.decay ? l2_ : 0.0F;
  const double scale = gradient_scale_;
  float* __restrict w = part.weights.data();
  [[maybe_unused]] float* __restrict m = part.first.data();
  std::int64_t* __restrict sum = part.sums.data();
  std::uint32_t largest = 0;
  for (std::size_t i = 0, n = part.weights.size(); i < n; ++i) {
    FlushedFloat g = static_cast<FlushedFloat>(to_double(sum[i]) * scale) + l2 * w[i];
    sum[i] = 0;
    if constexpr (kMomentum) {
      const FlushedFloat mean = momentum * m[i] + take * g;
      m[i] = static_cast<float>(mean);
      g = kNesterov ? g + momentum * mean : mean;
    }
    w[i] = static_cast<float>(w[i] - rate * g);
    largest = std::max(largest, weight_size(w[i]));
  }
  return largest < kWeightSizeLimit;
}

bool SgdStep::update(const OptimizerPart& part) const {
  if (part.first.empty()) return update_all<false, false>(part);
  return nesterov_ ? update_all<true, true>(part) : update_all<true, false>(part);
}

std::span<const OptimizerRule> sgd_rules() {
  static const OptimizerRule rules[] = {
      {.name = "SGD",
       .momentum = true,
       .state_vectors = [](const OptimizerOptions& options) { return options.momentum > 0 ? 1 : 0; },
       .make = [](const OptimizerOptions& options, std::uint64_t step, double learning_rate,
                  double scale) -> std::shared_ptr<const OptimizerStep> {
         return std::make_shared<SgdStep>(options, step, learning_rate, scale);
       }}};
  return rules;
}

}  // namespace weft::memoryx
