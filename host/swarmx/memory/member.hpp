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
  /// When join.leave says so: why. The root is told, and what it has dealt is served until it has ended; null: it is
  /// left at once.
  std::function<std::string()> why = {};
};

/// Returns after the root's Stop, or when it is to leave. Throws as run_member. What it had is gone when the root is:
/// the next one gives it its part again.
void run_memory_member(const MemoryMemberOptions& options);

}  // namespace weft
