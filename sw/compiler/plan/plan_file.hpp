/// A plan as a file, written by `weft run --mode compile_only --save` and run by `--plan` (docs/explanation/stream.md,
/// Plans in files).
///
///   bytes   what
///   8       "WEFTPLAN"
///   4       version
///   4       crc32c of all that follows
///   8       bytes that follow the digest
///   8       digest: FNV-1a of those bytes
///   ...     the network's text, the plan
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sw/compiler/plan/plan.hpp"

namespace weft::compiler {

struct SavedPlan {
  Plan plan;
  std::string network;       ///< the text of model.network
  std::uint64_t digest = 0;  ///< digest of graph, mesh, lanes, placement, masks and program
};

std::vector<std::uint8_t> encode_plan(const SavedPlan& saved);

/// The digest in bytes that encode_plan returned.
std::uint64_t digest_in(std::span<const std::uint8_t> bytes);

/// `file`: for messages. Throws Refusal if `bytes` are no plan, one of another version, or damaged.
SavedPlan decode_plan(std::span<const std::uint8_t> bytes, const std::string& file);

}  // namespace weft::compiler
