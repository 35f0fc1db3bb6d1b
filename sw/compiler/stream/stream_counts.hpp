/// Numbers of a sweep's taps, row by row.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/compiler/stream/group_size.hpp"
#include "sw/compiler/stream/stream_descriptor.hpp"

namespace weft {

struct SweepCounts {
  /// Takes time proportional to the outputs if all taps exist, else to the taps.
  explicit SweepCounts(const Sweep& sweep);

  std::vector<std::uint32_t> taps;  ///< [row]: weights or indices of all outputs
  std::uint64_t lines = 0;
  IndexCounts fullest;  ///< numbers of lines, by the taps of their fullest row
};

}  // namespace weft
