/// A part of MemoryX in a process of its own: joins a run, has what tensors it is dealt, comes back when it was lost.
#pragma once

#include <functional>
#include <string>

#include "host/swarmx/member_session.hpp"

namespace weft {

inline constexpr const char* kMemoryRole = "memory";

/// Its name, "memory 0".
std::string memory_name(int id);
/// Why one of this name is none of so many; empty: it is one.
std::string why_no_memory(const std::string& name, int ranks);

struct MemoryMemberOptions {
  int id = 0;
  unsigned threads = 1;  ///< of the optimizer
  JoinOptions join = {};
  /// What asks it to end, "SIGTERM"; empty: nothing. The root is told, when it has dealt what this has, and served
  /// until it has ended; join.leave does not count any more then. Null: the root is not told.
  std::function<std::string()> why = {};
};

/// Returns after the root's Stop, or when it is to leave. Throws as run_member. What it had is gone when the root is:
/// the next one gives it its part again.
void run_memory_member(const MemoryMemberOptions& options);

}  // namespace weft
