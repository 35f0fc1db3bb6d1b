/// A part of MemoryX in a process of its own: joins a run, holds the tensors assigned to it, and reconnects when the
/// connection is lost.
#pragma once

#include <functional>
#include <string>

#include "host/swarmx/members/member_session.hpp"

namespace weft::swarmx {

inline constexpr const char* kMemoryRole = "memory";

/// Returns the name of a rank, "memory 0".
std::string memory_name(int id);
/// Returns why `name` is the name of none of `ranks` ranks; empty: it is one.
std::string why_no_memory(const std::string& name, int ranks);

struct MemoryMemberOptions {
  int id = 0;
  unsigned threads = 1;  ///< threads of the optimizer
  JoinOptions join = {};
  /// Returns the source of a request to end this process, "SIGTERM"; empty: none. Once the root has sent the plan, this
  /// process reports the request and serves until the root has ended; `join.leave` has no effect from then on. Null:
  /// requests are not reported.
  std::function<std::string()> why = {};
};

/// Returns after the root's Stop, or when it is to leave. Throws as run_member. The part of the state ends with the
/// root's connection: the next root sends it again.
void run_memory_member(const MemoryMemberOptions& options);

}  // namespace weft::swarmx
