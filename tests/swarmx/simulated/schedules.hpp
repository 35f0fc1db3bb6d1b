/// Many schedules, and what became of them.
#pragma once

#include <cstdint>
#include <string>

#include "tests/swarmx/simulated/swarm.hpp"

namespace weft::simulated {

/// The run of this shape in which nothing happens.
const Ending& undisturbed(const Shape& shape);

struct Tally {
  int schedules = 0, faults = 0, wrong = 0, hang = 0;
  int ranked = 0;    ///< schedules with MemoryX on ranks of its own
  int refusals = 0;  ///< of roots that lost one of these
  std::uint64_t repeated = 0;
};

/// What a root said that gave up is what it is to say.
bool is_clear(const std::string& refusal);

/// Schedules from seed `first` on; prints a line. `loud`: each that is not as it should be is a failure.
/// `ranked`: only such as have MemoryX on ranks of its own, so that more seeds are looked at.
Tally schedules(std::uint64_t first, int count, const Without& without, bool loud, bool ranked = false);

}  // namespace weft::simulated
