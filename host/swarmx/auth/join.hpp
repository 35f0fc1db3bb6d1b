/// Options with which a process of any role joins a run.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/swarmx/auth/credentials.hpp"

namespace weft::swarmx {

/// Version of the protocol after the handshake: docs/reference/swarm_protocol.md, and the plans that are sent.
inline constexpr std::uint32_t kSwarmVersion = 12;

struct JoinOptions {
  std::string address = "127.0.0.1";  ///< address of the root, a name or a number
  std::uint16_t port = 0;
  std::vector<std::uint16_t> other_ports = {};  ///< other ports at which the root may listen
  std::shared_ptr<const Credentials> credentials = {};
  std::string job = {};      ///< identifies the run, among all with these credentials
  std::string build = {};    ///< identifies the program; must equal the root's
  std::uint64_t digest = 0;  ///< digest of all that the plan is compiled from; must equal the root's
  // Defaults are for tests; runs use swarmx.silence and swarmx.timeout.
  std::chrono::milliseconds silence{30000};  ///< a root that is silent for so long is lost
  std::chrono::milliseconds timeout{30000};  ///< for the root to answer, each time
  /// Called with a line about each connection and loss; may be null.
  std::function<void(const std::string& line)> say = {};
  /// Polled: returns whether to leave although the root has not sent Stop; null: never.
  std::function<bool()> leave = {};
  /// Called with the reason when the worker thread has hung and its parent was notified. It must end the process, since
  /// the thread itself cannot be ended. Null: no watchdog.
  std::function<void(const std::string& why)> on_hang = {};

  std::vector<std::uint16_t> ports() const {
    std::vector<std::uint16_t> all = other_ports;
    all.insert(all.begin(), port);
    return all;
  }
};

}  // namespace weft::swarmx
