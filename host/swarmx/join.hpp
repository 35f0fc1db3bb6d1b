/// What a process of any role is told to join a run by.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/swarmx/auth/credentials.hpp"

namespace weft {

/// The version of what is said after the greeting: docs/swarm.md, and the plans that are sent.
inline constexpr std::uint32_t kSwarmVersion = 10;

struct JoinOptions {
  std::string address = "127.0.0.1";  ///< of the root, a name or a number
  std::uint16_t port = 0;
  std::vector<std::uint16_t> other_ports = {};  ///< where the root may be instead
  std::shared_ptr<const Credentials> credentials = {};
  std::string job = {};                      ///< which run, of all that have these credentials
  std::string build = {};                    ///< of which program; the root's must be the same
  std::uint64_t digest = 0;                  ///< of what the plan is compiled of: the root's must be the same
  std::chrono::milliseconds silence{30000};  ///< a root that says nothing for so long is lost
  std::chrono::milliseconds timeout{30000};  ///< for the root to answer, each time
  /// Told of each connection and loss; null: nobody.
  std::function<void(const std::string& line)> say = {};
  /// Asked now and then: whether to leave, though the root has not said Stop; null: never.
  std::function<bool()> leave = {};
  /// Told why, when the thread that works here stands still and its parent knows: nobody can end that thread, so this
  /// is to end the process. Null: nobody looks whether it does.
  std::function<void(const std::string& why)> stands_still = {};

  std::vector<std::uint16_t> ports() const {
    std::vector<std::uint16_t> all = other_ports;
    all.insert(all.begin(), port);
    return all;
  }
};

}  // namespace weft
