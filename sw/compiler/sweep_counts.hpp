/// How much a sweep is, row by row.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/compiler/group_size.hpp"
#include "sw/compiler/sweep.hpp"

namespace weft {

struct SweepCounts {
  /// In a time that grows with the outputs if all taps exist, else with the taps.
  explicit SweepCounts(const Sweep& sweep);

  std::vector<std::uint32_t> taps;  ///< [row]: weights or indices of all outputs
  std::uint64_t lines = 0;
  IndexCounts fullest;  ///< lines by the taps of their fullest row
};

}  // namespace weft
