#include "host/config/keys/effect.hpp"

#include "host/config/config.hpp"
#include "host/memoryx/optimizer.hpp"

namespace weft::config {
namespace {

const memoryx::OptimizerRule& rule_of(const Config& c) { return *memoryx::find_rule(c.optimizer.optimizer_type); }
bool masks_of_checkpoint(const Config& c) { return c.sparsity.init_method == "checkpoint"; }

}  // namespace

bool shuffles(const Config& c) { return c.train_input.shuffle; }

bool shares_kv(const Config& c) { return c.model.own_kv_heads() != c.model.heads; }
bool rotates(const Config& c) { return c.model.rotary_dim > 0; }
bool scales_rotation(const Config& c) { return rotates(c) && c.model.rotary.scaling != "none"; }
bool scales_low(const Config& c) { return rotates(c) && c.model.rotary.scaling == "llama3"; }

bool has_betas(const Config& c) { return rule_of(c).betas; }
bool has_eps(const Config& c) { return rule_of(c).eps; }
bool has_momentum(const Config& c) { return rule_of(c).momentum; }
bool uses_momentum(const Config& c) { return has_momentum(c) && c.optimizer.momentum > 0; }
bool decays(const Config& c) { return c.optimizer.weight_decay > 0; }

bool is_sparse(const Config& c) { return c.sparsity.sparsity > 0 || masks_of_checkpoint(c); }
bool gives_sparsity(const Config& c) { return !masks_of_checkpoint(c); }
bool draws_masks(const Config& c) {
  return is_sparse(c) && (c.sparsity.init_method == "random" || c.sparsity.algorithm == "set");
}
bool updates_masks(const Config& c) { return is_sparse(c) && c.sparsity.is_dynamic(); }
bool exchanges_weights(const Config& c) {
  return updates_masks(c) && (c.sparsity.algorithm == "set" || c.sparsity.algorithm == "rigl");
}
bool prunes_gradually(const Config& c) { return updates_masks(c) && c.sparsity.algorithm == "gmp"; }

bool rolls_back(const Config& c) { return c.runconfig.on_divergence == "rollback"; }

}  // namespace weft::config
