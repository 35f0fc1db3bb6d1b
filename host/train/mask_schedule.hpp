/// Schedule and computation of mask updates for dynamic sparsity (docs/explanation/dynamic_sparsity.md).
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "host/config/config.hpp"
#include "host/memoryx/memoryx.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::train {

class MaskSchedule {
 public:
  /// `config` must outlive this.
  explicit MaskSchedule(const config::Config& config);

  /// True if the step after `done` steps begins with a mask update.
  bool is_due(std::uint64_t done) const;
  /// True if the masks change during training.
  bool is_dynamic() const { return config_.sparsity.is_dynamic(); }
  /// True if a mask update needs the gradients of all weights, including pruned ones.
  bool needs_dense_gradients() const { return config_.sparsity.algorithm == "rigl"; }
  /// Computes the masks of the step after `done`: a function of the seed, `done`, plan.mask, MemoryX's weights and, if
  /// needs_dense_gradients(), of MemoryX's gradient sums. Masks of frozen tensors do not change.
  compiler::Mask next_masks(const compiler::Plan& plan, std::uint64_t done, memoryx::MemoryX& memoryx) const;

 private:
  std::vector<bool> next_mask(const compiler::TensorInfo& tensor, const std::vector<bool>& kept, std::uint64_t done,
                              memoryx::MemoryX& memoryx) const;
  std::uint64_t update_index(std::uint64_t done) const;  // from 0
  std::uint64_t last_update_index() const;

  const config::Config& config_;
  std::set<std::string, std::less<>> frozen_;
};

}  // namespace weft::train
