/// Which rank of MemoryX has which tensors, and how it updates them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/memoryx/optimizer.hpp"
#include "host/memoryx/shards.hpp"
#include "host/swarmx/bytes.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// Neighbouring tensors, and all shards (host/memoryx/shards.hpp) that they have a part of. A shard that tensors of two
/// ranks have parts of both have, and both update: with the same bits, as they get the same gradients.
struct Dealt {
  std::size_t first = 0, last = 0;  ///< tensors [first, last), in the order of the plan
  ShardRange shards;
};

/// By bytes, in the order of the plan; tensors that one op streams go together. Throws Refusal of memoryx.ranks if
/// there are too few for so many ranks.
std::vector<Dealt> deal_tensors(const Plan& plan, int ranks);
/// [op]: the rank that has the tensors whose weights it streams; 0 if there are none.
std::vector<std::size_t> rank_of_ops(const Plan& plan, std::span<const Dealt> dealt);
/// [op]: ranks that have shards which gradients of op are of, ascending.
std::vector<std::vector<std::size_t>> ranks_written(const Plan& plan, std::span<const Dealt> dealt);

/// What a rank is told of its part, before anything else.
struct PartOptions {
  ShardRange shards;
  OptimizerOptions optimizer;
  std::uint64_t seed = 1;
  std::vector<std::string> no_decay = {}, frozen = {};  ///< names of tensors, as MemoryXOptions
};
Bytes encode_part(const PartOptions& part);
/// Throws CorruptFrame.
PartOptions decode_part(std::span<const std::uint8_t> bytes);

}  // namespace weft
