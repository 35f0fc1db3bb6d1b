/// A wafer in a process of its own: joins a swarm, does its tasks, and reconnects when the connection is lost.
#pragma once

#include "host/swarmx/auth/join.hpp"
#include "host/swarmx/tree/worker_loop.hpp"

namespace weft::swarmx {

struct MemberOptions {
  int id = 0;  ///< number of the wafer, whose name is "wafer ID"
  MakeWafer make_wafer = {};
  JoinOptions join = {};
};

/// As run_member_session; throws also what the wafer and make_wafer throw.
void run_member(const MemberOptions& options);

}  // namespace weft::swarmx
