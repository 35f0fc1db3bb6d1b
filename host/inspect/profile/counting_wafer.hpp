/// Wafer that counts its cycles by stall reason, phase by phase.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "host/inspect/profile/profile.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "verif/sim/clocked_wafer.hpp"
#include "verif/wafer.hpp"

namespace weft::inspect::profile {

class CountingWafer {
 public:
  virtual ~CountingWafer() = default;
  virtual Wafer& wafer() = 0;
  /// Current cycle of the wafer's clock.
  virtual std::uint64_t cycles() = 0;
  /// Call when the plan has been loaded. The phases follow: first the tokens, then one phase per op. `phases` must stay
  /// valid until end().
  virtual void begin(std::vector<Phase>& phases) = 0;
  /// Feeds all messages of the next phase.
  virtual void phase(std::vector<machine::Message> messages) = 0;
  /// Call when the wafer has settled after the last phase. Throws std::runtime_error unless every tile has its record
  /// of every phase.
  virtual void end() = 0;
};

/// Command at which a wafer stores its counts, under `tag`.
inline machine::Message mark(std::size_t tag) {
  return machine::Message::command(machine::Command::Mark, 0, static_cast<std::uint16_t>(tag));
}

/// Counts on the RTL, just constructed, which runs the phases without a rest between them, as in a run. Both arguments
/// must outlive the result.
std::unique_ptr<CountingWafer> simulated(const compiler::Plan& plan, sim::ClockedWafer& rtl);
/// Counts on a board (host/board), whose counters are read through its debug chain after each phase. Each phase begins
/// at rest, and includes the waiting for the host's link. The arrival times of messages within a phase are unknown and
/// assumed to be evenly spread.
std::unique_ptr<CountingWafer> on_board(const compiler::Plan& plan, Wafer& board);

}  // namespace weft::inspect::profile
