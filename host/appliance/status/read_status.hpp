/// A status.json, as `weft status` has it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sw/base/refusal.hpp"

namespace weft {

/// What the run in `folder` said of itself last (run_status.hpp), with `age`, seconds since then, and `lives`: whether
/// the root is at work; null: only its host knows. Throws Refusal: there is no folder, or no run's in it, or the file
/// is damaged or another version's.
nlohmann::ordered_json read_status(const std::filesystem::path& folder);

/// No folder of a run is named.
Refusal no_run(const std::string& subject, const std::string& problem);
/// The file is there, and has no status.
Refusal no_status(const std::string& file, const std::string& problem);

}  // namespace weft
