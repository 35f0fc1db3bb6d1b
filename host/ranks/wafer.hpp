/// A rank that is a wafer.
#pragma once

#include <iosfwd>

#include "host/ranks/joining.hpp"
#include "host/config/config.hpp"
#include "host/swarmx/tree/worker_loop.hpp"

namespace weft {

/// Joins the run and computes until the run ends. Returns the exit code. Logs to `out`. After a signal, leaves when the
/// root stops, or after some seconds. Throws as run_member.
int run_wafer(const Config& config, const Ranks& ranks, const Joining& joining, const MakeWafer& make_wafer,
              std::ostream& out);

}  // namespace weft
