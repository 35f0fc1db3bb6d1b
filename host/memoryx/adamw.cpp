#include "host/memoryx/adamw.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "host/memoryx/fixed_point.hpp"
#include "host/memoryx/weight_limit.hpp"

namespace weft {
namespace {

// x^n by squaring: the C library's pow differs between platforms.
double power(double x, std::uint64_t n) {
  double y = 1;
  for (; n != 0; n >>= 1, x *= x) {
    if ((n & 1) != 0) y *= x;
  }
  return y;
}

}  // namespace

AdamWStep::AdamWStep(const AdamWOptions& options, std::uint64_t step, double learning_rate, double scale)
    : beta1(static_cast<float>(options.beta1)),
      one_minus_beta1(static_cast<float>(1 - options.beta1)),
      beta2(static_cast<float>(options.beta2)),
      one_minus_beta2(static_cast<float>(1 - options.beta2)),
      eps(static_cast<float>(options.eps)),
      rate(static_cast<float>(learning_rate / (options.correct_bias ? 1 - power(options.beta1, step + 1) : 1))),
      inverse_root(static_cast<float>(1 / std::sqrt(options.correct_bias ? 1 - power(options.beta2, step + 1) : 1))),
      keep(static_cast<float>(1 - learning_rate * options.weight_decay)),
      gradient_scale(scale) {}

double clip_factor(const AdamWOptions& options, double norm) {
  if (options.max_gradient_norm <= 0) return 1;
  return std::min(1.0, options.max_gradient_norm / (norm + 1e-6));
}

bool adamw(const AdamWStep& step, bool decay, std::span<float> weights, std::span<float> first, std::span<float> second,
           std::span<std::int64_t> sums) {
  const AdamWStep s = step;
  const float keep = decay ? s.keep : 1.0F;
  float* __restrict w = weights.data();
  float* __restrict m = first.data();
  float* __restrict v = second.data();
  std::int64_t* __restrict sum = sums.data();
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto g = static_cast<float>(to_double(sum[i]) * s.gradient_scale);
    sum[i] = 0;
    m[i] = s.beta1 * m[i] + s.one_minus_beta1 * g;
    v[i] = s.beta2 * v[i] + s.one_minus_beta2 * (g * g);
    w[i] = w[i] * keep - s.rate * (m[i] / (std::sqrt(v[i]) * s.inverse_root + s.eps));
    largest = std::max(largest, weight_size(w[i]));
  }
  return largest < kWeightSizeLimit;
}

}  // namespace weft
