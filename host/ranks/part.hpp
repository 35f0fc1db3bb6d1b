/// A rank that holds a part of MemoryX.
#pragma once

#include <iosfwd>

#include "host/ranks/joining.hpp"
#include "host/config/config.hpp"

namespace weft {

/// Joins the run and holds the tensors assigned to it until the run ends. Returns the exit code. Logs to `out`. After a
/// signal, notifies the root, which saves a checkpoint before this rank leaves. Throws as run_memory_member.
int run_part(const Config& config, const Ranks& ranks, const Joining& joining, std::ostream& out);

}  // namespace weft
