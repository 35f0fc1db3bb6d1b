/// Cycles of a run by tile and stall reason (docs/explanation/stalls.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verif/sim/stall_record.hpp"

namespace weft::programs {

/// Messages through one valve or outlet during a run.
struct Passed {
  std::uint64_t messages = 0;
  std::uint64_t begin = 0, end = 0;  ///< cycle of the first message, and the cycle after the last
};

/// A measured run: the cycles from a MARK before it to a MARK behind it.
struct MeasuredRun {
  std::string kernel;
  std::vector<sim::StallRecord> tiles;  ///< [row * cols + col]
  Passed valve;
  std::vector<Passed> outlets;  ///< [row]; none on a board
  std::uint64_t multiply_adds = 0;
};

}  // namespace weft::programs
