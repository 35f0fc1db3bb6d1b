/// How a rank that is not the root joins the run, whatever it is.
#pragma once

#include <iosfwd>

#include "host/appliance/ranks/joining.hpp"
#include "host/config/config.hpp"
#include "host/swarmx/join.hpp"

namespace weft {

/// Lines of what happens go to `out`, which outlives it; a signal asks it to leave (leave.hpp).
JoinOptions join_options(const Config& config, const Joining& joining, std::ostream& out);

}  // namespace weft
