/// AdamW (Loshchilov, Hutter 2019) on shards of a flat parameter vector.
///
/// Elementwise in fp32, in this order of operations, so that neither the cut into shards nor the vector width shows:
///   g = gradient_sum * gradient_scale          (in double, rounded once)
///   m = beta1 m + (1 - beta1) g
///   v = beta2 v + (1 - beta2) (g g)
///   w = w keep - rate (m / (sqrt(v) inverse_root + eps))
/// As PyTorch's AdamW: epsilon is added after the correction of the second moment's bias.
#pragma once

#include <cstdint>
#include <span>

namespace weft {

struct AdamWOptions {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.0;  ///< decoupled; for tensors with TensorInfo::decay
  bool correct_bias = true;
  double max_gradient_norm = 0.0;  ///< of all parameters together; 0: no clipping
};

/// The constants of one step, rounded to fp32 once.
struct AdamWStep {
  float beta1, one_minus_beta1, beta2, one_minus_beta2;
  float eps;
  float rate;             ///< learning rate / (1 - beta1^t)
  float inverse_root;     ///< 1 / sqrt(1 - beta2^t)
  float keep;             ///< 1 - learning rate * weight decay, for tensors that decay
  double gradient_scale;  ///< of the fixed-point sums

  /// `step` counts from 0 (t = step + 1). `gradient_scale` already has clipping in it.
  AdamWStep(const AdamWOptions& options, std::uint64_t step, double learning_rate, double gradient_scale);
};

/// Factor for gradients of norm `norm`, as torch.nn.utils.clip_grad_norm_.
double clip_factor(const AdamWOptions& options, double norm);

/// Updates weights and moments and leaves zeros in `sums`; all of the same length. Subnormals must flush to zero. False
/// if a weight is then not below kWeightLimit (weight_limit.hpp).
///
/// Moments need no such look: they stay finite whatever the gradients and however many steps. A sum is at most 2^63
/// units of 2^-40, gradient_scale at most one unit (a mean, clipped), so |g| <= 2^23 and g g <= 2^46. beta m is no
/// larger than m, as betas are within 0 and 1, and what is added no larger than g: once |m| is 2^48, half a unit in its
/// last place is 2^24, so that the sum rounds to no more than m. |m| < 2^49 and likewise v < 2^72, far from fp32's
/// 2^128.
[[nodiscard]] bool adamw(const AdamWStep& step, bool decay, std::span<float> weights, std::span<float> first,
                         std::span<float> second, std::span<std::int64_t> sums);

}  // namespace weft
