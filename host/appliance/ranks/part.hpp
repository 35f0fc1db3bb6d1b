/// A rank that has a part of MemoryX.
#pragma once

#include <iosfwd>

#include "host/appliance/ranks/joining.hpp"
#include "host/config/config.hpp"

namespace weft {

/// Joins the run and has the tensors that it is dealt until the run is over; returns the exit code. What happens is
/// told in lines on `out`. A signal asks it to leave: the root saves before it does. Throws as run_memory_member.
int run_part(const Config& config, const Ranks& ranks, const Joining& joining, std::ostream& out);

}  // namespace weft
