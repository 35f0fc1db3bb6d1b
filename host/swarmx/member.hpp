/// A wafer in a process of its own: joins a swarm, does what it is given, comes back when it was lost.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/auth/greeting.hpp"
#include "host/swarmx/member_session.hpp"
#include "host/swarmx/serve.hpp"

namespace weft {

struct MemberOptions {
  int id = 0;                         ///< the wafer's; its name is "wafer ID"
  std::string address = "127.0.0.1";  ///< of the root, a name or a number
  std::uint16_t port = 0;
  std::shared_ptr<const Credentials> credentials = {};
  std::string job;           ///< which run, of all that have these credentials
  std::uint64_t digest = 0;  ///< of what the plan is compiled of: the root's must be the same
  MakeWafer make_wafer = {};
  std::chrono::milliseconds silence{30000};  ///< a root that says nothing for so long is lost
  std::chrono::milliseconds timeout{30000};  ///< for the root to answer, each time
  /// Told of each connection and loss; null: nobody.
  std::function<void(const std::string& line)> say = {};
  /// Asked now and then: whether to leave, though the root has not said Stop; null: never.
  std::function<bool()> leave = {};
};

/// As run_member_session; what the wafer and make_wafer throw is what it throws.
void run_member(const MemberOptions& options);

}  // namespace weft
