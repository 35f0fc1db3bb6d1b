#include "host/appliance/ranks/leave.hpp"

#include <chrono>
#include <optional>
#include <ostream>

#include "host/appliance/ranks/log_line.hpp"
#include "host/appliance/train/interrupt.hpp"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kGrace{20};

}  // namespace

std::function<bool()> leave_after_grace() {
  return [asked = std::optional<Clock::time_point>()]() mutable {
    if (!interrupted()) return false;
    if (!asked) asked = Clock::now();
    return Clock::now() - *asked > kGrace;
  };
}

int end_of_rank(std::ostream& out) {
  out << log_line("the run is over") << std::flush;
  return interrupted() ? kInterruptedExit : 0;
}

}  // namespace weft
