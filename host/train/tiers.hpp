/// What a run says of the memory and the disk that its parameters take.
#pragma once

#include <optional>
#include <string>

#include "host/config/config.hpp"
#include "host/memoryx/pieces.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// How parameters are spread over DRAM and flash, and a line more if that is slow; none: all are in DRAM (`pieces` is
/// null).
std::optional<std::string> describe_tiers(const Config& config, const Plan& plan, const Pieces* pieces);

/// What it has come to: the most memory the process had, and how much of it was tiles' memories and accumulators; what
/// the flash tier moved, if there is one, and the disks for all of it.
std::string report_memory(const Config& config, const Plan& plan, const Pieces* pieces);

}  // namespace weft
