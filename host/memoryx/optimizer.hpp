/// Optimizer rules, which update parameters from gradients, on shards of flat vectors (docs/reference/optimizers.md).
///
/// All rules are elementwise in fp32, each in the order of operations that its header states, so the result depends
/// neither on the division into shards nor on the vector width. A rule consists of two files in rules/, NAME.hpp and
/// NAME.cpp, and nothing else: the build collects the description that each file gives, NAME_rules(), into one table,
/// which is the only source of information about rules for the configuration, checkpoints and ranks.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace weft::memoryx {

struct OptimizerOptions {
  std::string_view rule = "AdamW";  ///< one of optimizer_rules()
  double beta1 = 0.9, beta2 = 0.999;
  double eps = 1e-8;
  bool correct_bias = true;
  double momentum = 0.0;
  double dampening = 0.0;     ///< dampening of the momentum
  bool nesterov = false;      ///< Nesterov momentum
  double weight_decay = 0.0;  ///< for tensors that decay; decoupled in AdamW and Lion, in the gradient in Adam and SGD
  double max_gradient_norm = 0.0;  ///< maximum norm of the whole gradient; 0: no clipping
};

/// Consecutive elements of one tensor, the same ones of each vector; vectors of state that the rule does not keep are
/// empty.
struct OptimizerPart {
  bool decay = false;
  std::span<float> weights, first, second;
  std::span<std::int64_t> sums;
};

/// The constants of one step, each rounded to fp32 once, and the update that uses them.
class OptimizerStep {
 public:
  virtual ~OptimizerStep() = default;
  /// Updates weights and state and leaves zeros in `sums`. Subnormals must flush to zero. Returns false if a weight is
  /// then not below kWeightLimit (weight_limit.hpp). Thread-safe for parts that do not overlap.
  ///
  /// State needs no such check: it stays finite for any gradients and any number of steps. A sum is at most 2^63 units
  /// of 2^-40, gradient_scale at most one unit (a mean, clipped), and a weight that decays was below 2^20, hence |g| <=
  /// 2^24 and g g <= 2^48. No rule multiplies its state by more than 1 before it adds at most g, or g g: once a first
  /// moment is 2^49, half a unit in its last place is 2^25, so that the sum rounds to no more than the previous value.
  /// |m| < 2^50 and likewise v < 2^74, far from fp32's 2^128.
  [[nodiscard]] virtual bool update(const OptimizerPart& part) const = 0;
};

/// A rule's description of itself.
struct OptimizerRule {
  std::string_view name;  ///< optimizer.optimizer_type
  bool betas = false;     ///< uses beta1 and beta2
  bool eps = false;       ///< uses eps and correct_bias
  bool momentum = false;  ///< uses momentum, dampening and nesterov
  std::array<double, 2> default_betas = {0.9, 0.999};
  /// Number of state vectors in addition to the weights: 0, 1 (the first moments) or 2.
  int (*state_vectors)(const OptimizerOptions& options);
  /// As make_optimizer_step.
  std::shared_ptr<const OptimizerStep> (*make)(const OptimizerOptions& options, std::uint64_t step,
                                               double learning_rate, double gradient_scale);
};

/// All rules, ordered by the names of their files.
const std::vector<OptimizerRule>& optimizer_rules();
/// The names of all rules.
std::vector<std::string_view> rule_names();
/// The rule of this name; null: none exists.
const OptimizerRule* find_rule(std::string_view name);

/// As OptimizerRule::state_vectors.
int state_vectors(const OptimizerOptions& options);

/// `step` counts from 0. `gradient_scale` applies to the fixed-point sums and includes clipping.
std::shared_ptr<const OptimizerStep> make_optimizer_step(const OptimizerOptions& options, std::uint64_t step,
                                                         double learning_rate, double gradient_scale);

/// Factor for gradients of norm `norm`, as torch.nn.utils.clip_grad_norm_.
double clip_factor(const OptimizerOptions& options, double norm);

}  // namespace weft::memoryx
