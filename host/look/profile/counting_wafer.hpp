/// A wafer that counts where its cycles go, phase by phase.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "host/look/profile/profile.hpp"
#include "sw/compiler/plan.hpp"
#include "verif/sim/clocked_wafer.hpp"
#include "verif/wafer.hpp"

namespace weft::profile {

class CountingWafer {
 public:
  virtual ~CountingWafer() = default;
  virtual Wafer& wafer() = 0;
  /// Of its clock, by now.
  virtual std::uint64_t cycles() = 0;
  /// The plan is loaded: phases begin, that of the tokens, then one for each op. `phases` must be there until end().
  virtual void begin(std::vector<Phase>& phases) = 0;
  /// All messages of the next phase.
  virtual void phase(std::vector<Message> messages) = 0;
  /// The wafer has settled after the last one: every tile of every phase has its record, or std::runtime_error.
  virtual void end() = 0;
};

/// The command at which a wafer writes its counts down, as `tag`'s.
inline Message mark(std::size_t tag) { return Message::command(Command::Mark, 0, static_cast<std::uint16_t>(tag)); }

/// The RTL, just made, which goes on from phase to phase as in a run. Both must outlive what is returned.
std::unique_ptr<CountingWafer> simulated(const Plan& plan, ClockedWafer& rtl);
/// A board (host/board) whose counts are read through its debug chain after each phase: each begins at rest, and waits
/// for the host's line as the board does. When messages passed within a phase is not known: they are taken for spread
/// over it.
std::unique_ptr<CountingWafer> on_board(const Plan& plan, Wafer& board);

}  // namespace weft::profile
