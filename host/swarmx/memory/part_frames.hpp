/// Frames in which a rank of MemoryX reports on its shards (docs/reference/swarm_protocol.md: Norm, Done).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/memoryx/shard_pass.hpp"
#include "host/memoryx/shards.hpp"
#include "host/swarmx/protocol/frame.hpp"

namespace weft::swarmx {

/// Returns the frames for the shards in `own`. `squares`, `shards`: [shard], of all shards.
std::vector<Frame> norm_frames(std::span<const double> squares, const memoryx::ShardRange& own);
std::vector<Frame> done_frames(std::span<const memoryx::ShardDone> shards, const memoryx::ShardRange& own,
                               const std::optional<std::string>& diverged);

/// Contents of a Done: shards from frame.op on; after the last shard perhaps a text.
struct SaidDone {
  std::vector<memoryx::ShardDone> shards;
  std::optional<std::string> diverged;
};
/// Throws CorruptFrame if the frame is too short for its number of shards.
SaidDone decode_done(const Frame& frame);

}  // namespace weft::swarmx
