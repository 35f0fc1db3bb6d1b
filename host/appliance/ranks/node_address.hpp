/// Addresses of Slurm's nodes.
#pragma once

#include <string>

namespace weft {

/// An address of the node: its name, if that can be resolved, else its NodeAddr in `scontrol`.
std::string node_address(const std::string& name);

}  // namespace weft
