#include "host/ranks/join_options.hpp"

#include <cstdlib>
#include <ostream>

#include "host/ranks/leave.hpp"
#include "host/ranks/log_line.hpp"

namespace weft::ranks {

swarmx::JoinOptions join_options(const config::Config& config, const Joining& joining, std::ostream& out) {
  return {.address = joining.address,
          .port = joining.ports.front(),
          .other_ports = joining.other_ports(),
          .credentials = joining.credentials,
          .job = joining.job,
          .build = joining.build,
          .digest = joining.digest,
          .silence = config.swarm_silence(),
          .timeout = config.swarm_timeout(),
          .say = [&out](const std::string& line) { out << log_line(line) << std::flush; },
          .leave = leave_after_grace(),
          .on_hang =
              [&out](const std::string& why) {
                out << log_line(why + " This process ends.") << std::flush;
                std::_Exit(1);  // a normal exit would wait for the thread that hangs
              }};
}

}  // namespace weft::ranks
