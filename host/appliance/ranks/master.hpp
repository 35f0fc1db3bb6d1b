/// The host of rank 0.
#pragma once

#include <string>

#include "host/appliance/ranks/environment.hpp"

namespace weft {

/// The host that MASTER_ADDR names: an IPv6 address loses its brackets. Throws Refusal if the value is a list of nodes,
/// or has a port or spaces in it.
std::string master_host(const std::string& value);

/// The node of a Slurm step that has rank 0: the first one, of a heterogeneous job the first of its first component in
/// the step. `root`: this process is rank 0. Throws Refusal if that node is another one.
std::string master_node(const Environment& environment, bool root);

}  // namespace weft
