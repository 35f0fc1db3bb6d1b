/// What a machine has done: the counters of each of its columns, and how long it has been at it.
#pragma once

#include <cstdint>

namespace weft::model {

struct Work {
  std::uint64_t beats = 0;      ///< of each column
  std::uint64_t passed = 0;     ///< beats more of each column for each column to its east: gathers in step
  std::uint64_t fma_lanes = 0;  ///< of each column
  std::uint64_t steps = 0;      ///< instructions and beats of vf since the last exchange, or command
  std::uint64_t exchanges = 0;  ///< instructions that use streams or queues since W brought something
  bool moved = false;           ///< something happened since this was cleared

  void w_came() { steps = exchanges = 0; }
  std::uint64_t beats_of(int columns_to_the_east) const {
    return beats + passed * static_cast<std::uint64_t>(columns_to_the_east);
  }
};

}  // namespace weft::model
