/// What a rank of MemoryX does with what the root sends (docs/swarm.md).
#pragma once

#include <exception>
#include <string>

#include "host/swarmx/frame.hpp"
#include "host/swarmx/pulse.hpp"
#include "host/swarmx/wire.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// Has its part of the state from Deal on, until Stop. `threads`: of the optimizer. Throws PeerLost, CorruptFrame, and
/// what MemoryX throws; what goes wrong in a thread of its own is told to the root, and thrown when that has ended.
/// `pulse`: that of `root`, for all threads; null: nobody looks whether they get on.
void serve_part(const Plan& plan, const std::string& name, unsigned threads, Wire& root, Pulse* pulse = nullptr);

/// The Error frame of what rank `name` has thrown.
Frame last_words(const std::string& name, std::exception_ptr failure);

}  // namespace weft
