#include "host/appliance/ranks/wafer.hpp"

#include <fmt/format.h>

#include <ostream>

#include "host/appliance/ranks/leave.hpp"
#include "host/appliance/ranks/log_line.hpp"
#include "host/appliance/train/interrupt.hpp"
#include "host/swarmx/member.hpp"

namespace weft {

int run_wafer(const Config& config, const Ranks& ranks, const Joining& joining, const MakeWafer& make_wafer,
              std::ostream& out) {
  catch_interrupts();
  run_member({.id = joining.wafer(ranks),
              .address = joining.address,
              .port = joining.port,
              .credentials = joining.credentials,
              .job = joining.job,
              .digest = joining.digest,
              .make_wafer = make_wafer,
              .silence = config.swarm_silence(),
              .timeout = config.swarm_timeout(),
              .say = [&out](const std::string& line) { out << log_line(line) << std::flush; },
              .leave = leave_after_grace()});
  return end_of_rank(out);
}

}  // namespace weft
