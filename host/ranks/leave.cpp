#include "host/ranks/leave.hpp"

#include <atomic>
#include <chrono>
#include <optional>
#include <ostream>

#include "host/ranks/log_line.hpp"
#include "host/system/signals.hpp"

namespace weft::ranks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kGrace{20};

std::atomic<bool> left{false};

}  // namespace

void catch_interrupts_of_rank() {
  system::catch_interrupts(
      "interrupted: continues until the root ends the run, at most 20 s; a second interrupt ends this rank at once\n");
}

void catch_interrupts_of_memory_rank() {
  system::catch_interrupts(
      "interrupted: asks the root to save and end the run; a second interrupt ends this rank at once\n");
}

std::function<bool()> leave_after_grace() {
  return [asked = std::optional<Clock::time_point>()]() mutable {
    if (!system::interrupted()) return false;
    if (!asked) asked = Clock::now();
    if (Clock::now() - *asked > kGrace) left = true;
    return left.load();
  };
}

int log_rank_end(std::ostream& out) {
  out << log_line(left ? "leaves the run, 20 s after the interrupt" : "the run is over") << std::flush;
  return system::interrupted() ? system::kInterruptedExit : 0;
}

int log_memory_rank_end(std::ostream& out) {
  out << log_line(system::interrupted() ? "leaves the run after " + system::signal_name() : "the run is over")
      << std::flush;
  return system::interrupted() ? system::kInterruptedExit : 0;
}

}  // namespace weft::ranks
