/// Masks that move: when they are dealt anew, and to which weights (docs/dynamic_sparsity.md).
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

  /// Whether the step after so many begins with a deal.
  bool due(std::uint64_t done) const;
  /// Whether there are any.
  bool move() const { return config_.sparsity.moves(); }
  /// Whether one needs the gradient of all weights, also of those that are left out.
  bool by_gradient() const { return config_.sparsity.algorithm == "rigl"; }
  /// The masks of the step after `done`: a function of the seed, `done`, plan.mask, MemoryX's weights and, by_gradient,
  /// of its sums. Those of tensors that do not change stay.
  Mask deal(const Plan& plan, std::uint64_t done, MemoryX& memoryx) const;

 private:
  std::vector<bool> mask_of(const TensorInfo& tensor, const std::vector<bool>& kept, std::uint64_t done,
                            MemoryX& memoryx) const;
  std::uint64_t number(std::uint64_t done) const;  // of the deal, from 0
  std::uint64_t count() const;                     // of deals behind the first

  const Config& config_;
  std::set<std::string, std::less<>> frozen_;
};

}  // namespace weft
