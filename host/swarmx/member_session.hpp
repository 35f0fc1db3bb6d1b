/// What members of other processes have in common: they join the root, go where that sends them, get the plan, hand
/// what comes to a thread of their own, and come back when they were lost.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/frame.hpp"
#include "host/swarmx/wire.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// The version of what is said after the greeting: docs/swarm.md, and the plans that are sent.
inline constexpr std::uint32_t kSwarmVersion = 5;

struct JoinOptions {
  std::string address = "127.0.0.1";  ///< of the root, a name or a number
  std::uint16_t port = 0;
  std::shared_ptr<const Credentials> credentials = {};
  std::string job = {};                      ///< which run, of all that have these credentials
  std::uint64_t digest = 0;                  ///< of what the plan is compiled of: the root's must be the same
  std::chrono::milliseconds silence{30000};  ///< a root that says nothing for so long is lost
  std::chrono::milliseconds timeout{30000};  ///< for the root to answer, each time
  /// Told of each connection and loss; null: nobody.
  std::function<void(const std::string& line)> say = {};
  /// Asked now and then: whether to leave, though the root has not said Stop; null: never.
  std::function<bool()> leave = {};
};

struct MemberRole {
  std::string role, name;  ///< of its greeting
  std::string next;        ///< who the root may send it to, for errors
  bool seated = true;      ///< where it is sent it says which seat it was given
  /// Does what it is there for, in a thread that may wait, until the root's Stop.
  std::function<void(const Plan& plan, Wire& root)> serve;
  /// What the root is told if that throws.
  std::function<Frame(std::exception_ptr)> last_words;
};

/// Returns after the root's Stop, or when it is to leave. The root's pings are answered whatever `serve` does. Throws
/// Refused if the root does not let it in, PeerLost if the root is not there for `timeout`, and what `serve` throws,
/// after it has told the root.
void run_member_session(const JoinOptions& options, const MemberRole& member);

}  // namespace weft
