/// Runs many schedules and counts their results.
#pragma once

#include <cstdint>
#include <string>

#include "tests/swarmx/simulated/swarm.hpp"

namespace weft::swarmx::simulated {

/// The fault-free run of this shape.
const Ending& undisturbed(const Shape& shape);

struct ScheduleCounts {
  int schedules = 0, faults = 0, wrong = 0, hang = 0;
  int ranked = 0;    ///< schedules with MemoryX on ranks of its own
  int refusals = 0;  ///< by roots that lost one of these
  std::uint64_t repeated = 0;
};

/// True if `refusal` is one of the expected messages of a root that gives up.
bool is_clear(const std::string& refusal);

/// Runs schedules from seed `first` on; prints a line. `loud`: each wrong result is a test failure. `ranked`: only
/// schedules with MemoryX on separate ranks, so that more seeds are tried. `until`: stops once this count is not zero.
ScheduleCounts schedules(std::uint64_t first, int count, const Without& without, bool loud, bool ranked = false,
                         int ScheduleCounts::*until = nullptr);

}  // namespace weft::swarmx::simulated
