#include "host/ranks/node.hpp"

#include "host/ranks/join_options.hpp"
#include "host/ranks/leave.hpp"
#include "host/swarmx/members/node_member.hpp"

namespace weft {

int run_node(const Config& config, const Ranks& ranks, const Joining& joining, std::ostream& out) {
  catch_interrupts_of_rank();
  run_node_member({.id = joining.node(ranks), .join = join_options(config, joining, out)});
  return end_of_rank(out);
}

}  // namespace weft
