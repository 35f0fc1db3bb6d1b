/// Options with which a rank other than the root joins the run.
#pragma once

#include <iosfwd>

#include "host/config/config.hpp"
#include "host/ranks/joining.hpp"
#include "host/swarmx/auth/join.hpp"

namespace weft::ranks {

/// Logs to `out`, which must outlive the result. After a signal the rank leaves (leave.hpp).
swarmx::JoinOptions join_options(const config::Config& config, const Joining& joining, std::ostream& out);

}  // namespace weft::ranks
