/// Common part of members in processes of their own: they join the root, follow a Redirect, receive the plan, pass
/// frames to a thread of their own, and reconnect when the connection is lost.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "host/swarmx/auth/join.hpp"
#include "host/swarmx/base/progress_watchdog.hpp"
#include "host/swarmx/link/wire.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft {

struct MemberRole {
  std::string role, name;  ///< in its greeting
  std::string next;        ///< kind of peer the root may redirect it to, for errors
  bool seated = true;      ///< sends its member id to a peer it is redirected to
  /// Does the member's work, in a thread that may wait, until the root's Stop.
  std::function<void(const Plan& plan, Wire& root)> serve;
  /// Returns the frame for the root if `serve` throws.
  std::function<Frame(std::exception_ptr)> last_words;
  /// Polled: returns the frame that tells the root that this member was asked to leave, as soon as it was; the member
  /// then serves until the root has ended. Nothing: it was not asked. Null: the root is not told.
  std::function<std::optional<Frame>()> leaves = {};
  Pulse* pulse = nullptr;  ///< watchdog of the serving thread; null: none
};

/// Returns after the root's Stop, when `options.leave` returns true, or if it was asked to leave and no root is there.
/// Heartbeats are sent whatever `serve` does. Throws Refused if the root rejects it, PeerLost if the root is absent for
/// `timeout`, and what `serve` throws, after reporting that to the root.
void run_member_session(const JoinOptions& options, const MemberRole& member);

}  // namespace weft
