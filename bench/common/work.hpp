/// Work of a wafer between two points in time, and the host time spent on it.
#pragma once

#include <algorithm>
#include <ctime>
#include <vector>

#include "verif/wafer.hpp"

namespace weft::bench {

struct Work {
  WaferCounters done;
  double seconds = 0;  ///< processor time of all threads of this process; other load on the machine does not count
  int tiles = 0;
  int lanes = 0;

  double tile_cycles() const { return static_cast<double>(done.cycles) * tiles; }
  /// Multiply-adds over all that the lanes could have done.
  double fpu_utilization() const { return static_cast<double>(done.fma_lanes) / (tile_cycles() * lanes); }
  /// Beats over all that the vector units could have issued.
  double beat_utilization() const { return static_cast<double>(done.beats) / tile_cycles(); }
};

/// Processor time of `work`, for all threads of this process; other load on the machine does not count.
template <class F>
double processor_seconds(const F& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Measures `work`, which uses `wafer` and must leave it at rest.
template <class F>
Work measure(const Wafer& wafer, const F& work) {
  const WaferCounters before = wafer.counters();
  const double seconds = processor_seconds(work);
  const WaferCounters after = wafer.counters();
  const machine::WaferShape& s = wafer.shape();
  return {.done = {after.cycles - before.cycles, after.fma_lanes - before.fma_lanes, after.beats - before.beats,
                   after.edge_messages - before.edge_messages},
          .seconds = seconds,
          .tiles = s.rows * s.cols,
          .lanes = s.lanes};
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace weft::bench
