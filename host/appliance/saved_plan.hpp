/// Plans in files: compiled once, run many times (docs/stream.md, Plans in files).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "host/config/config.hpp"

namespace weft {

/// Writes what compile_plan has made, whole or not at all, and a line about it. Throws Refusal.
void save_plan(const Config& config, const Plan& plan, const std::string& file, std::ostream& out);

/// From here on compile_plan returns this file's plan; a setting that is auto is the plan's. Throws Refusal if it is no
/// plan, is damaged, or was compiled of another network, other shapes or for another wafer.
void use_plan(Config& config, const std::string& file, std::ostream& out);

/// Of the settings that a plan is compiled of: processes whose plans would differ have different ones. (Masks are the
/// root's: who joins is sent the plan.)
std::uint64_t settings_digest(const Config& config);

/// The plan of use_plan. Throws Refusal if it has other masks.
Plan saved_plan(const Config& config, const Mask& mask);

}  // namespace weft
