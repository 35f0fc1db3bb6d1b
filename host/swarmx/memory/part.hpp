/// What a rank of MemoryX does with what the root sends (docs/swarm.md).
#pragma once

#include <string>

#include "host/swarmx/wire.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// Has its part of the state from Deal on, until Stop. `threads`: of the optimizer. Throws PeerLost, CorruptFrame, and
/// what MemoryX throws; what goes wrong in a thread of its own is told to the root.
void serve_part(const Plan& plan, const std::string& name, unsigned threads, Wire& root);

}  // namespace weft
