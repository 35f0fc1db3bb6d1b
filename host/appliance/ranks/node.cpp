#include "host/appliance/ranks/node.hpp"

#include "host/appliance/ranks/join_options.hpp"
#include "host/appliance/ranks/leave.hpp"
#include "host/swarmx/node_member.hpp"

namespace weft {

int run_node(const Config& config, const Ranks& ranks, const Joining& joining, std::ostream& out) {
  catch_interrupts_of_rank();
  run_node_member({.id = joining.node(ranks), .join = join_options(config, joining, out)});
  return end_of_rank(out);
}

}  // namespace weft
