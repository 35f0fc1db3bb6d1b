/// Where the first node of a Slurm step is.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// The first name of a list as Slurm writes it: "n[3-5,8],m1" is n3.
std::string first_name(std::string_view list);

/// An address of that node: its name, if that can be resolved, else what `scontrol` knows of it.
std::string first_node(std::string_view list);

}  // namespace weft
