#include "host/memoryx/optimizer.hpp"

#include <algorithm>

#include "sw/base/invariant.hpp"

namespace weft::memoryx {
namespace {

const OptimizerRule& rule_of(const OptimizerOptions& options) {
  const OptimizerRule* rule = find_rule(options.rule);
  invariant(rule != nullptr, "the optimizer's rule is in the table");
  return *rule;
}

}  // namespace

std::vector<std::string_view> rule_names() {
  std::vector<std::string_view> names;
  for (const OptimizerRule& rule : optimizer_rules()) names.push_back(rule.name);
  return names;
}

const OptimizerRule* find_rule(std::string_view name) {
  const auto& all = optimizer_rules();
  const auto rule = std::ranges::find(all, name, &OptimizerRule::name);
  return rule == all.end() ? nullptr : &*rule;
}

int state_vectors(const OptimizerOptions& options) { return rule_of(options).state_vectors(options); }

std::shared_ptr<const OptimizerStep> make_optimizer_step(const OptimizerOptions& options, std::uint64_t step,
                                                         double learning_rate, double gradient_scale) {
  return rule_of(options).make(options, step, learning_rate, gradient_scale);
}

double clip_factor(const OptimizerOptions& options, double norm) {
  if (options.max_gradient_norm <= 0) return 1;
  return std::min(1.0, options.max_gradient_norm / (norm + 1e-6));
}

}  // namespace weft::memoryx
