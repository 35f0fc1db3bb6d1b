/// Runs one micro-batch of a training step on the RTL or a board, with a MARK behind each phase.
#pragma once

#include <cstdint>
#include <functional>

#include "host/data/data.hpp"
#include "host/look/profile/counting_wafer.hpp"
#include "host/memoryx/memoryx.hpp"
#include "sw/compiler/plan.hpp"

namespace weft::profile {

/// `wafer`: of plan.wafer, just made. The host does what it does in a step: MemoryX rounds
/// weights, a tree of one wafer reduces what comes back, MemoryX sums and applies it, which changes its weights. A
/// functional model runs beside, for the multiply-adds. `done` is called behind each phase, with the cycles since the
/// first began. Throws what wafers and MemoryX throw.
Profile measure(const Plan& plan, MemoryX& memoryx, const Batch& batch, std::uint64_t step, CountingWafer& wafer,
                const std::function<void(std::uint64_t)>& done = {});

}  // namespace weft::profile
