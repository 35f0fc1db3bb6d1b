#include "host/ranks/wafer.hpp"

#include "host/ranks/join_options.hpp"
#include "host/ranks/leave.hpp"
#include "host/swarmx/members/member.hpp"

namespace weft {

int run_wafer(const Config& config, const Ranks& ranks, const Joining& joining, const MakeWafer& make_wafer,
              std::ostream& out) {
  catch_interrupts_of_rank();
  run_member({.id = joining.wafer(ranks), .make_wafer = make_wafer, .join = join_options(config, joining, out)});
  return end_of_rank(out);
}

}  // namespace weft
