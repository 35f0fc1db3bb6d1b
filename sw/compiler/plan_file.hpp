/// A plan as a file: what `weft run --mode compile_only --save` writes and `--plan` runs (docs/stream.md, Plans in
/// files).
///
///   bytes   what
///   8       "WEFTPLAN"
///   4       version
///   4       crc32c of all that follows
///   8       bytes that follow the digest
///   8       digest: FNV-1a of these
///   ...     the network's text, the plan
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sw/compiler/plan.hpp"

namespace weft {

struct SavedPlan {
  Plan plan;
  std::string network;       ///< the text that model.network had
  std::uint64_t digest = 0;  ///< of all of it: graph, mesh, lanes, placement, masks, program
};

std::vector<std::uint8_t> encode_plan(const SavedPlan& saved);

/// Of what encode_plan returned.
std::uint64_t digest_in(std::span<const std::uint8_t> bytes);

/// `file`: for messages. Throws Refusal if this is no plan, or one of another version, or not as it was written.
SavedPlan decode_plan(std::span<const std::uint8_t> bytes, const std::string& file);

}  // namespace weft
