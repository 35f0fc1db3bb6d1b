#include "host/inspect/debug/core_target.hpp"

#include <fmt/format.h>

#include "host/inspect/debug/waits.hpp"
#include "sw/base/refusal.hpp"
#include "sw/deadlock/report.hpp"

namespace weft::inspect::debug {

Names CoreTarget::names(sim::TilePlace /*tile*/) const {
  return {.program = core_.program, .arrays = core_.arrays, .wafer = core_.hang_snapshot.shape, .width = core_.width};
}

std::string CoreTarget::now() const {
  const machine::HangSnapshot& s = core_.hang_snapshot;
  std::string text = s.machine + " hung";
  if (s.machine == "rtl") text += fmt::format(" in cycle {}", s.cycle);
  if (!s.place.phase.empty())
    text += fmt::format(", wafer {}, step {}, the host at {}", s.place.wafer, s.place.step + 1, s.place.phase);
  return text;
}

ThreadPlace CoreTarget::thread(sim::TilePlace tile, bool psum) const {
  return thread_place(core_.hang_snapshot, tile, psum);
}

std::string CoreTarget::report() const { return deadlock::report(core_.hang_snapshot, &core_.program); }

LiveTarget& CoreTarget::live(const std::string& command) {
  const machine::StreamPlace& place = core_.hang_snapshot.place;
  const bool trains = place.wafer >= 0 && !place.phase.empty() && !core_.options.empty();
  throw Refusal(
      command, file_ + " is a core dump, which cannot run",
      trains
          ? fmt::format("run the phase that the host had begun: weft debug {} --backend {} --step {} --wafer {} "
                        "--phase {}; name an earlier one if tiles had not reached this phase",
                        core_.options, core_.hang_snapshot.machine, place.step + 1, place.micro_batch, place.phase)
          : "print, info, where, list and report inspect the dump; weft debug --params FILE --phase NAME runs a wafer");
}

}  // namespace weft::inspect::debug
