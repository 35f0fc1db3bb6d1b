/// A whole swarm in a simulated world: the state machines of a real swarm (Root, NodeState, Leaf), with MemoryX in the
/// root or on separate ranks (RanksState, PartState).
#pragma once

#include <cstdint>

#include "tests/swarmx/simulated/shape.hpp"
#include "tests/swarmx/simulated/world.hpp"

namespace weft::swarmx::simulated {

/// Runs the swarm, with `faults` injected faults at random times within `length`.
Ending run(std::uint64_t seed, const Shape& shape, int faults, milliseconds length, const Without& without = {});

/// A shape from a seed.
Shape shape_of(std::uint64_t seed);

}  // namespace weft::swarmx::simulated
