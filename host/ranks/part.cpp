#include "host/ranks/part.hpp"

#include "host/system/signals.hpp"
#include "host/ranks/join_options.hpp"
#include "host/ranks/leave.hpp"
#include "host/swarmx/memory/member.hpp"

namespace weft {

int run_part(const Config& config, const Ranks& ranks, const Joining& joining, std::ostream& out) {
  catch_interrupts_of_part();
  run_memory_member({.id = joining.part(ranks),
                     .threads = static_cast<unsigned>(config.memoryx_threads),
                     .join = join_options(config, joining, out),
                     .why = [] { return signalled() ? signal_name() : std::string(); }});
  return end_of_part(out);
}

}  // namespace weft
