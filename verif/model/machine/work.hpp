/// Work done by a machine: the counters of each of its columns, and progress counters that detect endless programs.
#pragma once

#include <cstdint>

namespace weft::model {

struct Work {
  std::uint64_t beats = 0;      ///< per column
  std::uint64_t passed = 0;     ///< additional beats per column for each column to its east: gathers in lockstep
  std::uint64_t fma_lanes = 0;  ///< per column
  std::uint64_t steps = 0;      ///< instructions and beats of vf since the last exchange or command
  std::uint64_t exchanges = 0;  ///< instructions that use streams or queues since the last message of W
  bool moved = false;           ///< something has happened since this was cleared

  void w_came() { steps = exchanges = 0; }
  std::uint64_t beats_of(int columns_to_the_east) const {
    return beats + passed * static_cast<std::uint64_t>(columns_to_the_east);
  }
};

}  // namespace weft::model
