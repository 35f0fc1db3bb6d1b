#include "host/appliance/ranks/node.hpp"

#include <ostream>

#include "host/appliance/ranks/leave.hpp"
#include "host/appliance/ranks/log_line.hpp"
#include "host/appliance/train/interrupt.hpp"
#include "host/swarmx/node_member.hpp"

namespace weft {

int run_node(const Config& config, const Ranks& ranks, const Joining& joining, std::ostream& out) {
  catch_interrupts();
  run_node_member({.id = joining.node(ranks),
                   .address = joining.address,
                   .port = joining.port,
                   .credentials = joining.credentials,
                   .job = joining.job,
                   .digest = joining.digest,
                   .silence = config.swarm_silence(),
                   .timeout = config.swarm_timeout(),
                   .say = [&out](const std::string& line) { out << log_line(line) << std::flush; },
                   .leave = leave_after_grace()});
  return end_of_rank(out);
}

}  // namespace weft
