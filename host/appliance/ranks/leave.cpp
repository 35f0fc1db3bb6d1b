#include "host/appliance/ranks/leave.hpp"

#include <chrono>
#include <optional>

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

}  // namespace weft
