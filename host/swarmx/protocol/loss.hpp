/// The loss of a micro-batch, from the values that the wafer returns for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

inline constexpr int kLossBits = 32;  ///< fraction bits; 2^31 nats fit into a global batch

struct LossSum {
  std::int64_t sum = 0;  ///< sum of cross-entropies, nats * 2^kLossBits
  std::int64_t tokens = 0;

  /// Mean in nats; 0 without tokens.
  double mean() const;
};

/// The loss that is the plan's `n`-th. `words`: fp32 bits of cols*T softmax sums, then of cols*T values (max - logit of
/// the label; or ones and squares), column by column. A token's loss is log(sum) + (max - logit), in double, converted
/// to fixed point once. Tokens without a label of this loss do not count; `labels`: those of the micro-batch,
/// [sequences][seq], or none if all count. Throws LossNotFinite if a
/// loss is not a finite number, SwarmError if the sum overflows.
LossSum loss_of(const compiler::Plan& plan, std::span<const std::uint32_t> words, int sequences,
                std::span<const TokenId> labels = {}, std::size_t n = 0);

}  // namespace weft::swarmx
