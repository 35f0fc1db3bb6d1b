#include "host/swarmx/members/member.hpp"

#include <string>
#include <utility>

#include "host/swarmx/members/member_session.hpp"

namespace weft {

void run_member(const MemberOptions& options) {
  Pulse pulse;
  KeptWafers kept;  // from one session to the next
  run_member_session(
      options.join,
      {.role = "wafer",
       .name = "wafer " + std::to_string(options.id),
       .next = "the node",
       .serve = [&](const Plan& plan,
                    Wire& parent) { serve(plan, options.id, options.make_wafer, parent, &kept, &pulse); },
       .last_words = [&](std::exception_ptr failure) { return last_words(options.id, std::move(failure)); },
       .pulse = &pulse});
}

}  // namespace weft
