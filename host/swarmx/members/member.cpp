#include "host/swarmx/members/member.hpp"

#include <string>
#include <utility>

#include "host/swarmx/members/member_session.hpp"

namespace weft::swarmx {

void run_member(const MemberOptions& options) {
  ProgressWatchdog watchdog;
  WaferCache cache;  // from one session to the next
  run_member_session(
      options.join,
      {.role = "wafer",
       .name = "wafer " + std::to_string(options.id),
       .next = "the node",
       .work = [&](const compiler::Plan& plan,
                   Wire& parent) { worker_loop(plan, options.id, options.make_wafer, parent, &cache, &watchdog); },
       .last_words = [&](std::exception_ptr failure) { return last_words(options.id, std::move(failure)); },
       .watchdog = &watchdog});
}

}  // namespace weft::swarmx
