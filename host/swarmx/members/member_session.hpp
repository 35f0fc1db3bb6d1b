/// Common part of members in processes of their own: they join the root, follow a Redirect, receive the plan, pass
/// frames to a thread of their own, and reconnect when the connection is lost.
#pragma once

#include "host/swarmx/auth/join.hpp"
#include "host/swarmx/members/member_role.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

/// Returns after the root's Stop, when `options.leave` returns true, or if it was asked to leave and no root is there.
/// Heartbeats are sent whatever `work` does. Throws AuthError if the root rejects it, PeerLost if the root is absent
/// for `timeout`, and what `work` throws, after reporting that to the root.
void run_member_session(const JoinOptions& options, const MemberRole& member);

}  // namespace weft::swarmx
