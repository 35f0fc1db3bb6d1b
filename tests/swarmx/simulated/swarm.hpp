/// A whole swarm in a simulated world: the state machines that a real one has (Root, Family, Leaf), with MemoryX in
/// the root or on ranks of its own (RanksState, PartState).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/swarmx/simulated/world.hpp"

namespace weft::simulated {

/// What a swarm may be without, to see that it is needed.
struct Without {
  bool once = false;       ///< a contribution that is in already is added again
  bool overlaps = false;   ///< one that is in by half is added as if it were not
  bool deadlines = false;  ///< nobody is lost by its silence
  bool progress = false;   ///< no wafer looks whether its thread stands still
  bool names = false;      ///< a wafer that could not get to its node is sent there again
  // Of ranks of MemoryX:
  bool memory_deadline = false;  ///< none of them is lost by its silence
  bool one_of_a_name = false;    ///< another that comes is taken for the one that is there
  bool all_ranks = false;        ///< what one of them has said counts for all
  bool new_steps = false;        ///< they do not hear that a step begins again
};

struct Shape {
  int wafers = 3;
  int nodes = 0;   ///< processes of their own, which wafers are sent to
  int memory = 0;  ///< ranks of MemoryX; 0: the root has it
  std::uint32_t micro_batches = 5;
  std::uint64_t steps = 3;
  bool parted = false;           ///< the model that can be dealt to ranks of MemoryX, whoever has it
  std::uint64_t save_steps = 1;  ///< a checkpoint is made after so many, of those
};

/// How a schedule ended.
struct Ending {
  std::optional<std::uint64_t> hash;  ///< of the weights; none: it hangs
  milliseconds took{0};
  int faults = 0;                          ///< that hit while it ran
  std::vector<std::string> refusals = {};  ///< what roots said that gave up; each time another goes on
  std::uint32_t repeated = 0;              ///< micro-batches
};

/// Runs the swarm. With `faults`, so many things go wrong at random times within `length`.
Ending run(std::uint64_t seed, const Shape& shape, int faults, milliseconds length, const Without& without = {});

/// A shape from a seed.
Shape shape_of(std::uint64_t seed);

}  // namespace weft::simulated
