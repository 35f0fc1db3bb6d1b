/// Draws a profile as pictures. Only in programs built with cairo (WEFT_CAIRO).
#pragma once

#include <filesystem>

#include "host/inspect/profile/profile.hpp"

namespace weft::inspect::profile {

/// Throws Refusal if this program was built without cairo. Call before long computations.
void check_cairo();

/// Writes heat.png, a map of the mesh for each kind of phase, and roofline.png. Throws Refusal if a file cannot be
/// written, or as check_cairo does.
void write_pictures(const Profile& profile, const std::filesystem::path& folder);

}  // namespace weft::inspect::profile
