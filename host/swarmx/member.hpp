/// A wafer in a process of its own: joins a swarm, does what it is given, comes back when it was lost.
#pragma once

#include "host/swarmx/join.hpp"
#include "host/swarmx/serve.hpp"

namespace weft {

struct MemberOptions {
  int id = 0;  ///< the wafer's; its name is "wafer ID"
  MakeWafer make_wafer = {};
  JoinOptions join = {};
};

/// As run_member_session; what the wafer and make_wafer throw is what it throws.
void run_member(const MemberOptions& options);

}  // namespace weft
