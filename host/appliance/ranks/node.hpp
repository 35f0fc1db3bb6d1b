/// A rank that is a node of the tree.
#pragma once

#include <iosfwd>

#include "host/appliance/ranks/joining.hpp"
#include "host/config/config.hpp"

namespace weft {

/// Joins the run and passes on until it is over; returns the exit code. What happens is told in lines on `out`. A
/// signal asks it to leave, as a wafer. Throws as run_node_member.
int run_node(const Config& config, const Ranks& ranks, const Joining& joining, std::ostream& out);

}  // namespace weft
