/// The part of a member in a process of its own that depends on its role: hello, work, and last frames.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "host/swarmx/base/progress_watchdog.hpp"
#include "host/swarmx/link/wire.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

struct MemberRole {
  std::string role, name;     ///< in its hello
  std::string next;           ///< kind of peer the root may redirect it to, for errors
  bool has_member_id = true;  ///< sends its member id to a peer it is redirected to
  /// Does the member's work, in a thread that may wait, until the root's Stop.
  std::function<void(const compiler::Plan& plan, Wire& root)> work;
  /// Returns the frame for the root if `work` throws.
  std::function<Frame(std::exception_ptr)> last_words;
  /// Polled: returns the leave request for the root once this member has been asked to leave, and nothing before. After
  /// the request the member serves until the root has ended. Null: the root is not notified.
  std::function<std::optional<Frame>()> leave_request = {};
  ProgressWatchdog* watchdog = nullptr;  ///< watchdog of the serving thread; null: none
};

}  // namespace weft::swarmx
