#include "host/memoryx/rules/adam.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "host/memoryx/fixed_point.hpp"
#include "host/memoryx/weight_limit.hpp"
#include "sw/base/exact_math.hpp"
#include "sw/base/flushed_float.hpp"

namespace weft::memoryx {
namespace {

constexpr std::string_view kL2Rule = "Adam";  // AdamW's decay is decoupled

// x^n by squaring: the C library's pow differs between platforms.
double power(double x, std::uint64_t n) {
  double y = 1;
  for (; n != 0; n >>= 1, x *= x) {
    if ((n & 1) != 0) y *= x;
  }
  return y;
}

/// kL2: weight decay is added to the gradient; otherwise it scales the weight (`keep`).
template <bool kL2>
bool update_all(const AdamStep& step, FlushedFloat keep, const OptimizerPart& part) {
  using std::sqrt;
  const FlushedFloat beta1 = step.beta1, one_minus_beta1 = step.one_minus_beta1, l2 = step.l2;
  const FlushedFloat beta2 = step.beta2, one_minus_beta2 = step.one_minus_beta2;
  const FlushedFloat eps = step.eps, rate = step.rate, inverse_root = step.inverse_root;
  const double scale = step.gradient_scale;
  float* __restrict w = part.weights.data();
  float* __restrict m = part.first.data();
  float* __restrict v = part.second.data();
  std::int64_t* __restrict sum = part.sums.data();
  std::uint32_t largest = 0;
  for (std::size_t i = 0, n = part.weights.size(); i < n; ++i) {
    auto g = static_cast<FlushedFloat>(to_double(sum[i]) * scale);
    sum[i] = 0;
    if constexpr (kL2) g = g + l2 * w[i];
    const FlushedFloat mean = beta1 * m[i] + one_minus_beta1 * g;
    const FlushedFloat square = beta2 * v[i] + one_minus_beta2 * (g * g);
    m[i] = static_cast<float>(mean);
    v[i] = static_cast<float>(square);
    w[i] = static_cast<float>(w[i] * keep - rate * (mean / (sqrt(square) * inverse_root + eps)));
    largest = std::max(largest, weight_size(w[i]));
  }
  return largest < kWeightSizeLimit;
}

}  // namespace

AdamStep::AdamStep(const OptimizerOptions& options, std::uint64_t step, double learning_rate, double scale)
    : beta1(static_cast<float>(options.beta1)),
      one_minus_beta1(static_cast<float>(1 - options.beta1)),
      beta2(static_cast<float>(options.beta2)),
      one_minus_beta2(static_cast<float>(1 - options.beta2)),
      eps(static_cast<float>(options.eps)),
      rate(static_cast<float>(learning_rate / (options.correct_bias ? 1 - power(options.beta1, step + 1) : 1))),
      inverse_root(static_cast<float>(1 / std::sqrt(options.correct_bias ? 1 - power(options.beta2, step + 1) : 1))),
      keep(options.rule == kL2Rule ? 1 : static_cast<float>(1 - learning_rate * options.weight_decay)),
      l2(options.rule == kL2Rule ? static_cast<float>(options.weight_decay) : 0),
      gradient_scale(scale) {}

bool AdamStep::update(const OptimizerPart& part) const {
  return part.decay && l2 > 0 ? update_all<true>(*this, 1.0F, part)
                              : update_all<false>(*this, part.decay ? keep : 1.0F, part);
}

std::span<const OptimizerRule> adam_rules() {
  const auto make = [](const OptimizerOptions& options, std::uint64_t step, double learning_rate,
                       double scale) -> std::shared_ptr<const OptimizerStep> {
    return std::make_shared<AdamStep>(options, step, learning_rate, scale);
  };
  const auto both = [](const OptimizerOptions&) { return 2; };
  static const OptimizerRule rules[] = {
      {.name = "AdamW", .betas = true, .eps = true, .state_vectors = both, .make = make},
      {.name = kL2Rule, .betas = true, .eps = true, .state_vectors = both, .make = make}};
  return rules;
}

}  // namespace weft::memoryx
