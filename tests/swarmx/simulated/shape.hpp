/// The shape of a simulated swarm, the rules that it follows, and the result of a schedule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/swarmx/simulated/world.hpp"

namespace weft::swarmx::simulated {

/// Rules that can be disabled to show that they are needed.
struct Without {
  bool once = false;       ///< a duplicate contribution is added again
  bool overlaps = false;   ///< a contribution of which half was already added is added in full
  bool deadlines = false;  ///< no silent peer is lost
  bool progress = false;   ///< wafers have no progress watchdog
  bool names = false;      ///< a wafer that failed to reach its node is redirected there again
  // For ranks of MemoryX:
  bool memory_deadline = false;  ///< no silent rank is lost
  bool one_of_a_name = false;    ///< a second process of the same name replaces the connected one
  bool all_ranks = false;        ///< one rank's report counts for all
  bool new_steps = false;        ///< ranks are not notified that a step begins again
};

struct Shape {
  int wafers = 3;
  int nodes = 0;   ///< separate processes, to which wafers are redirected
  int memory = 0;  ///< ranks of MemoryX; 0: the root has it
  std::uint32_t micro_batches = 5;
  std::uint64_t steps = 3;
  bool parted = false;           ///< the model that can be distributed to ranks of MemoryX, in either case
  std::uint64_t save_steps = 1;  ///< a checkpoint is made after this many of the steps
};

/// The result of a schedule.
struct Ending {
  std::optional<std::uint64_t> hash;  ///< hash of the weights; none: the run hangs
  milliseconds took{0};
  int faults = 0;                          ///< injected while it ran
  std::vector<std::string> refusals = {};  ///< messages of roots that gave up; each time another one continues
  std::uint32_t repeated = 0;              ///< micro-batches
};

}  // namespace weft::swarmx::simulated
