/// Pictures of a profile. Only in programs that are built with cairo (WEFT_CAIRO).
#pragma once

#include <filesystem>

#include "host/look/profile/profile.hpp"

namespace weft::profile {

/// Throws Refusal if this program has no cairo: to be asked before what takes time.
void check_cairo();

/// heat.png: a map of the mesh for each kind of phase. roofline.png. Throws Refusal if a file cannot be written, or as
/// check_cairo does.
void write_pictures(const Profile& profile, const std::filesystem::path& folder);

}  // namespace weft::profile
