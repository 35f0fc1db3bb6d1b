#include "host/swarmx/memory/member.hpp"

#include <utility>

#include "host/swarmx/memory/leave_request.hpp"
#include "host/swarmx/memory/part.hpp"

namespace weft::swarmx {
std::string memory_name(int id) { return "memory " + std::to_string(id); }

std::string why_no_memory(const std::string& name, int ranks) {
  for (int id = 0; id < ranks; ++id) {
    if (name == memory_name(id)) return {};
  }
  if (ranks == 0) return name + " is not expected here: memoryx.ranks is 0 here";
  return name + " is not one of the " + std::to_string(ranks) + " ranks of MemoryX here";
}

void run_memory_member(const MemoryMemberOptions& options) {
  const std::string name = memory_name(options.id);
  ProgressWatchdog watchdog;
  const auto leave_request = [&]() -> std::optional<Frame> {
    const std::string why = options.why ? options.why() : "";
    return why.empty() ? std::nullopt : std::optional(leave_request_frame(why));
  };
  run_member_session(options.join,
                     {.role = kMemoryRole,
                      .name = name,
                      .next = "MemoryX",
                      .has_member_id = false,
                      .work = [&](const compiler::Plan& plan,
                                  Wire& root) { memory_worker_loop(plan, name, options.threads, root, &watchdog); },
                      .last_words = [&](std::exception_ptr failure) { return last_words(name, std::move(failure)); },
                      .leave_request = leave_request,
                      .watchdog = &watchdog});
}

}  // namespace weft::swarmx
