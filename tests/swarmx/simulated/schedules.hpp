/// Many schedules, and what became of them.
#pragma once

#include <cstdint>

#include "tests/swarmx/simulated/swarm.hpp"

namespace weft::simulated {

/// The run of this shape in which nothing happens.
const Ending& undisturbed(const Shape& shape);

struct Tally {
  int schedules = 0, faults = 0, wrong = 0, hang = 0;
  std::uint64_t repeated = 0;
};

/// Schedules from seed `first` on; prints a line. `loud`: each that is not as it should be is a failure.
Tally schedules(std::uint64_t first, int count, const Without& without, bool loud);

}  // namespace weft::simulated
