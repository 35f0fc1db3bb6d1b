/// Addresses of Slurm's nodes.
#pragma once

#include <string>

namespace weft::ranks {

/// Address of a node: its name if that can be resolved, otherwise its NodeAddr in `scontrol`.
std::string node_address(const std::string& name);

}  // namespace weft::ranks
