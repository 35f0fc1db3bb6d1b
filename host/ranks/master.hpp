/// Determines the host of rank 0.
#pragma once

#include <string>

#include "host/ranks/environment.hpp"

namespace weft::ranks {

/// Host in a value of MASTER_ADDR, with the brackets of an IPv6 address removed. Throws Refusal if the value is a list
/// of nodes, or contains a port or spaces.
std::string master_host(const std::string& value);

/// Node of rank 0 in a Slurm step: the first one; in a heterogeneous job, the first of the first component that is part
/// of the step. `root`: this process is rank 0; Refusal if it runs on another node.
std::string master_node(const Environment& environment, bool root);

/// Address of a node of Slurm: its name if that can be resolved, otherwise its NodeAddr in `scontrol`.
std::string node_address(const std::string& name);

}  // namespace weft::ranks
