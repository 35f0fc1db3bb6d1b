/// Schedule and computation of mask updates for dynamic sparsity (docs/dynamic_sparsity.md).
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "host/config/config.hpp"
#include "host/memoryx/memoryx.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

class Deals {
 public:
  /// `config` must outlive this.
  explicit Deals(const Config& config);

  /// True if the step after `done` steps begins with a mask update.
  bool due(std::uint64_t done) const;
  /// True if the masks change during training.
  bool move() const { return config_.sparsity.moves(); }
  /// True if a mask update needs the gradients of all weights, including pruned ones.
  bool by_gradient() const { return config_.sparsity.algorithm == "rigl"; }
  /// Computes the masks of the step after `done`: a function of the seed, `done`, plan.mask, MemoryX's weights and, if
  /// by_gradient, of MemoryX's gradient sums. Masks of frozen tensors do not change.
  Mask deal(const Plan& plan, std::uint64_t done, MemoryX& memoryx) const;

 private:
  std::vector<bool> mask_of(const TensorInfo& tensor, const std::vector<bool>& kept, std::uint64_t done,
                            MemoryX& memoryx) const;
  std::uint64_t number(std::uint64_t done) const;  // index of the mask update, from 0
  std::uint64_t count() const;                     // number of mask updates after the first

  const Config& config_;
  std::set<std::string, std::less<>> frozen_;
};

}  // namespace weft
