/// Measurement of runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/programs/machine.hpp"
#include "host/programs/measured_run.hpp"
#include "verif/sim/clocked_wafer.hpp"
#include "verif/sim/stall_record.hpp"

namespace weft::programs {

/// Measures the runs of a wafer of RTL that counts stalls (STALLS of verif/sim), or of a board with counters.
class Meter {
 public:
  /// `machine` must outlive the meter. Throws Refusal if it does not count.
  explicit Meter(Machine& machine);
  ~Meter();
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

  /// Call when all tiles rest, before a run.
  void begin(const deadlock::Programs& programs);
  /// Call when all tiles rest, behind it.
  MeasuredRun end(const std::string& kernel, const deadlock::Programs& programs);

 private:
  void mark(int tag, const deadlock::Programs& programs);

  Machine& machine_;
  sim::ClockedWafer* const rtl_;  // null: a board
  sim::StallLog log_;
  std::vector<sim::EdgeEvent> events_;
  std::uint64_t multiply_adds_ = 0;
};

}  // namespace weft::programs
