/// A configuration's plan.
#pragma once

#include <iosfwd>

#include "host/appliance/config.hpp"

namespace weft {

/// Throws ConfigError if the model does not fit; its map of the memory, if any, goes to `out`.
Plan compile_plan(const Config& config, const Mask& mask, std::ostream& out);

}  // namespace weft
