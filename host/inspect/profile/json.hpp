/// Writes a profile as JSON: the counts of every phase and tile, and a summary by kind of phase as in the table.
#pragma once

#include <string>

#include "host/inspect/profile/profile.hpp"

namespace weft::inspect::profile {

std::string to_json(const Profile& profile);

}  // namespace weft::inspect::profile
