/// Saves plans to files: compile once, run many times (docs/stream.md, Plans in files).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "host/config/config.hpp"

namespace weft {

/// Writes a plan of compile_plan atomically, and prints a line about it. Throws Refusal.
void save_plan(const Config& config, const Plan& plan, const std::string& file, std::ostream& out);

/// Makes compile_plan return this file's plan from now on; settings that are auto are taken from the plan. Throws
/// Refusal if the file is no plan, is damaged, or was compiled for another network, shape or wafer.
void use_plan(Config& config, const std::string& file, std::ostream& out);

/// Digest of the settings that determine a plan: processes whose plans would differ have different digests. (Masks are
/// excluded: members receive the root's in the plan.)
std::uint64_t settings_digest(const Config& config);

/// Returns the plan of use_plan. Throws Refusal if the plan has other masks.
Plan saved_plan(const Config& config, const Mask& mask);

}  // namespace weft
