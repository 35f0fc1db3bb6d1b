/// A profile as JSON: all phases, every tile's counts; and by kind what the table shows.
#pragma once

#include <string>

#include "host/look/profile/profile.hpp"

namespace weft::profile {

std::string to_json(const Profile& profile);

}  // namespace weft::profile
