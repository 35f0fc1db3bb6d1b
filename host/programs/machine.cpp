#include "host/programs/machine.hpp"

#include <stdexcept>

#include "host/programs/stopped.hpp"
#include "sw/deadlock/report.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft::programs {
namespace {

/// An error whose text may end with a hint of its own.
Refusal refused(const std::string& subject, const std::string& text, const char* hint) {
  const std::size_t own = text.find(". HINT: ");
  return {subject, text.substr(0, own), own == std::string::npos ? hint : text.substr(own + 8)};
}

std::unique_ptr<Wafer> make(const machine::WaferShape& shape, const std::string& backend, int threads) {
  try {
    if (backend == "model") return make_model_wafer(shape);
    if (backend == "rtl") return make_rtl_wafer(shape, threads);
  } catch (const std::invalid_argument& e) {
    throw refused("wafer", e.what(), "use another shape");
  }
  throw Refusal("backend", "there is no backend '" + backend + "'", "use model or rtl");
}

/// Runs the clock until nothing moves. Returns false if interrupted.
bool run_clock(sim::ClockedWafer& wafer, const std::function<bool()>& interrupted) {
  constexpr std::uint64_t kCycles = 4096;  // between two calls of `interrupted`: some milliseconds
  for (std::uint64_t cycle = 1; wafer.can_move(); ++cycle) {
    wafer.tick();
    if (cycle % kCycles == 0 && interrupted()) return false;
  }
  return true;
}

}  // namespace

Machine::Machine(const machine::WaferShape& shape, const std::string& backend, int threads)
    : wafer_(make(shape, backend, threads)) {}

bool Machine::run(std::span<const machine::Message> messages, const std::string& what,
                  const assembler::Program* program, const std::function<bool()>& interrupted) {
  try {
    wafer_->at({.phase = what});
    wafer_->feed(messages);
    if (auto* const clocked = dynamic_cast<sim::ClockedWafer*>(wafer_.get()); clocked && interrupted)
      if (!run_clock(*clocked, interrupted)) return false;
    wafer_->settle();
  } catch (const WaferHang& hang) {
    std::string report = hang.hang_snapshot ? deadlock::report(*hang.hang_snapshot, program) : hang.what();
    throw Stopped(what, "the wafer hangs", "the report below names the root cause; load the layout again to go on",
                  report);
  } catch (const std::runtime_error& error) {  // of a program that the functional model rejects
    throw refused(what, error.what(), "correct the program, and load the layout again");
  }
  return true;
}

}  // namespace weft::programs
