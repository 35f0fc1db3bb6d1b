/// A rank that is a node of the reduction tree.
#pragma once

#include <iosfwd>

#include "host/ranks/joining.hpp"
#include "host/config/config.hpp"

namespace weft {

/// Joins the run and forwards until the run ends. Returns the exit code. Logs to `out`. Leaves after a signal, as a
/// wafer does. Throws as run_node_member.
int run_node(const Config& config, const Ranks& ranks, const Joining& joining, std::ostream& out);

}  // namespace weft
