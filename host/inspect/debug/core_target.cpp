#include "host/inspect/debug/core_target.hpp"

#include <fmt/format.h>

#include "host/inspect/debug/waits.hpp"
#include "sw/base/refusal.hpp"
#include "sw/deadlock/report.hpp"

namespace weft::debug {

Names CoreTarget::names() const {
  return {.program = core_.program, .arrays = core_.arrays, .wafer = core_.standstill.shape, .width = core_.width};
}

std::string CoreTarget::now() const {
  const Standstill& s = core_.standstill;
  std::string text = s.machine + " stood still";
  if (s.machine == "rtl") text += fmt::format(" in cycle {}", s.cycle);
  if (!s.place.phase.empty())
    text += fmt::format(", wafer {}, step {}, the host at {}", s.place.wafer, s.place.step, s.place.phase);
  return text;
}

ThreadPlace CoreTarget::thread(TilePlace tile, bool psum) const { return thread_place(core_.standstill, tile, psum); }

std::string CoreTarget::report() const { return hang::report(core_.standstill, &core_.program); }

Live& CoreTarget::live(const std::string& command) {
  const StreamPlace& place = core_.standstill.place;
  const bool trains = place.wafer >= 0 && !place.phase.empty() && !core_.options.empty();
  throw Refusal(
      command, file_ + " is a core dump: it stands still",
      trains
          ? fmt::format("alive, at the phase that the host had begun: weft debug {} --backend {} --step {} --wafer {} "
                        "--phase {}; name an earlier one if tiles had not come so far",
                        core_.options, core_.standstill.machine, place.step + 1, place.micro_batch, place.phase)
          : "print, info, where, list and report look at it; weft debug --params FILE --phase NAME runs one");
}

}  // namespace weft::debug
