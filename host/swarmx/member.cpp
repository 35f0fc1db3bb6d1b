#include "host/swarmx/member.hpp"

#include <utility>

namespace weft {

void run_member(const MemberOptions& options) {
  const JoinOptions join{.address = options.address,
                         .port = options.port,
                         .credentials = options.credentials,
                         .job = options.job,
                         .digest = options.digest,
                         .silence = options.silence,
                         .timeout = options.timeout,
                         .say = options.say,
                         .leave = options.leave};
  KeptWafers kept;  // from one session to the next
  run_member_session(
      join,
      {.role = "wafer",
       .name = "wafer " + std::to_string(options.id),
       .next = "the node",
       .serve = [&](const Plan& plan, Wire& parent) { serve(plan, options.id, options.make_wafer, parent, &kept); },
       .last_words = [&](std::exception_ptr failure) { return last_words(options.id, std::move(failure)); }});
}

}  // namespace weft
