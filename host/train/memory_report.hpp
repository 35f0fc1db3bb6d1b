/// Reports of the memory and disk traffic of a run's parameters.
#pragma once

#include <optional>
#include <string>

#include "host/config/config.hpp"
#include "host/memoryx/pages/pages.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::train {

/// Describes the distribution of parameters over DRAM and flash, with an extra line if that is slow; none if all are in
/// DRAM (`pages` is null).
std::optional<std::string> flash_tier_report(const config::Config& config, const compiler::Plan& plan,
                                             const memoryx::Pages* pages);

/// Reports the peak memory of the process and the share of tiles' memories and accumulators in it; with a flash tier,
/// also the bytes moved by the tier and by the disks. `wafers_here`: the wafers are in this process.
std::string memory_report(const config::Config& config, const compiler::Plan& plan, bool wafers_here,
                          const memoryx::Pages* pages);

}  // namespace weft::train
