/// Runs one micro-batch of a training step on the RTL or a board, with a MARK after each phase.
#pragma once

#include <cstdint>
#include <functional>

#include "host/data/data.hpp"
#include "host/inspect/profile/counting_wafer.hpp"
#include "host/memoryx/memoryx.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::inspect::profile {

/// `wafer`: a wafer of shape plan.wafer, just constructed. The host does its usual work in a step: MemoryX rounds
/// weights, a tree of one wafer reduces the returned words, and MemoryX accumulates and applies them, which changes its
/// weights. A functional model runs alongside to count multiply-adds. `done` is called after each phase with the cycles
/// since the start of the first. Throws what wafers and MemoryX throw.
Profile measure(const compiler::Plan& plan, memoryx::MemoryX& memoryx, const data::Batch& batch, std::uint64_t step,
                CountingWafer& wafer, const std::function<void(std::uint64_t)>& done = {});

}  // namespace weft::inspect::profile
