#include "host/appliance/ranks/wafer.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <ostream>

#include "host/appliance/ranks/log_line.hpp"
#include "host/appliance/train/interrupt.hpp"
#include "host/swarmx/member.hpp"

namespace weft {
namespace {

/// Schedulers send the same signal to all ranks: the root, too, ends with a checkpoint and says so.
constexpr std::chrono::seconds kGrace{20};

}  // namespace

int run_wafer(const Config& config, const Ranks& ranks, const Joining& joining, const MakeWafer& make_wafer,
              std::ostream& out) {
  catch_interrupts();
  std::optional<std::chrono::steady_clock::time_point> asked;
  const auto leave = [&asked] {
    if (!interrupted()) return false;
    if (!asked) asked = std::chrono::steady_clock::now();
    return std::chrono::steady_clock::now() - *asked > kGrace;
  };
  run_member({.id = ranks.wafer(),
              .address = joining.address,
              .port = joining.port,
              .credentials = joining.credentials,
              .job = joining.job,
              .digest = joining.digest,
              .make_wafer = make_wafer,
              .silence = config.swarm_silence(),
              .timeout = config.swarm_timeout(),
              .say = [&out](const std::string& line) { out << log_line(line) << std::flush; },
              .leave = leave});
  out << log_line("the run is over") << std::flush;
  return interrupted() ? kInterruptedExit : 0;
}

}  // namespace weft
