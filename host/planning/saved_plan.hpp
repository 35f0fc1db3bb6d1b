/// Saves plans to files: compile once, run many times (docs/explanation/stream.md, Plans in files).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>

#include "host/config/config.hpp"

namespace weft::planning {

/// A plan that was read from a file, and is used instead of compiling one.
struct LoadedPlan {
  std::string file;
  compiler::Plan plan;
};

/// Writes a plan of compile_plan atomically, and prints a line about it. Throws Refusal.
void save_plan(const config::Config& config, const compiler::Plan& plan, const std::string& file, std::ostream& out);

/// Reads a plan for this configuration, and prints a line about it; settings that are auto are taken from the plan.
/// Throws Refusal if the file is no plan, is damaged, or was compiled for another network, shape or wafer.
std::shared_ptr<const LoadedPlan> load_plan(config::Config& config, const std::string& file, std::ostream& out);

/// Digest of the settings that determine a plan: processes whose plans would differ have different digests. (Masks are
/// excluded: members receive the root's in the plan.)
std::uint64_t settings_digest(const config::Config& config);

/// Returns the loaded plan. Throws Refusal if it has other masks than `mask`.
compiler::Plan plan_with_masks(const config::Config& config, const LoadedPlan& loaded, const compiler::Mask& mask);

}  // namespace weft::planning
