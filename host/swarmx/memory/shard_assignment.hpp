/// Assignment of tensors (shard assignment) and of update options to the ranks of MemoryX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/memoryx/optimizer.hpp"
#include "host/memoryx/shards.hpp"
#include "host/swarmx/base/bytes.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

/// Adjacent tensors, and all shards (host/memoryx/shards.hpp) that have a part of them. Two ranks that have tensors in
/// the same shard both have it and both update it, with the same bits, as they get the same gradients.
struct ShardAssignment {
  std::size_t first = 0, last = 0;  ///< tensors [first, last), in the order of the plan
  memoryx::ShardRange shards;
};

/// Divides the tensors by bytes, in the order of the plan; tensors that one op streams stay together. Throws Refusal of
/// memoryx.ranks if there are too few for so many ranks.
std::vector<ShardAssignment> assign_shards(const compiler::Plan& plan, int ranks);
/// Returns [op]: the rank that has the tensors whose weights the op streams; 0 if there are none.
std::vector<std::size_t> rank_of_ops(const compiler::Plan& plan, std::span<const ShardAssignment> assignments);
/// Returns [op]: the ranks whose shards the op's gradients are for, ascending.
std::vector<std::vector<std::size_t>> ranks_written(const compiler::Plan& plan,
                                                    std::span<const ShardAssignment> assignments);

/// A rank's part, which it is sent before anything else but the plan.
struct PartOptions {
  memoryx::ShardRange shards;
  memoryx::OptimizerOptions optimizer;
  std::uint64_t seed = 1;
  std::vector<std::string> no_decay = {}, decay = {}, frozen = {};  ///< names of tensors, as in MemoryXOptions
};
Bytes encode_part(const PartOptions& part);
/// Throws CorruptFrame.
PartOptions decode_part(std::span<const std::uint8_t> bytes);

}  // namespace weft::swarmx
