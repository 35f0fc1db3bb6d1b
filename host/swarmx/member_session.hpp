/// What members of other processes have in common: they join the root, go where that sends them, get the plan, hand
/// what comes to a thread of their own, and come back when they were lost.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "host/swarmx/frame.hpp"
#include "host/swarmx/join.hpp"
#include "host/swarmx/pulse.hpp"
#include "host/swarmx/wire.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

struct MemberRole {
  std::string role, name;  ///< of its greeting
  std::string next;        ///< who the root may send it to, for errors
  bool seated = true;      ///< where it is sent it says which seat it was given
  /// Does what it is there for, in a thread that may wait, until the root's Stop.
  std::function<void(const Plan& plan, Wire& root)> serve;
  /// What the root is told if that throws.
  std::function<Frame(std::exception_ptr)> last_words;
  /// Asked now and then: what the root is told when this is asked to leave, as soon as there is one: it serves on until
  /// that has ended. Nothing: it is not asked. Null: the root is not told.
  std::function<std::optional<Frame>()> leaves = {};
  Pulse* pulse = nullptr;  ///< of the thread that serves; null: nobody looks whether it stands still
};

/// Returns after the root's Stop, or when it is to leave, or was asked to and no root is there. The root's pings are
/// answered whatever `serve` does. Throws Refused if the root does not let it in, PeerLost if the root is not there for
/// `timeout`, and what `serve` throws, after it has told the root.
void run_member_session(const JoinOptions& options, const MemberRole& member);

}  // namespace weft
