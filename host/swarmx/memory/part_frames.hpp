/// What a rank of MemoryX says of its shards, as frames (docs/swarm.md: Norm, Done).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/memoryx/shard_pass.hpp"
#include "host/memoryx/shards.hpp"
#include "host/swarmx/frame.hpp"

namespace weft {

/// `squares`, `shards`: [shard], of which `own` are said, from its first on.
std::vector<Frame> norm_frames(std::span<const double> squares, const ShardRange& own);
std::vector<Frame> done_frames(std::span<const ShardDone> shards, const ShardRange& own,
                               const std::optional<std::string>& diverged);

/// What a Done says: of shards from frame.op on, and behind the last perhaps a text.
struct SaidDone {
  std::vector<ShardDone> shards;
  std::optional<std::string> diverged;
};
/// Throws CorruptFrame if it does not say as much as it says it does.
SaidDone decode_done(const Frame& frame);

}  // namespace weft
