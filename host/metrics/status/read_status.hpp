/// Reads status.json for `weft status`.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sw/base/refusal.hpp"

namespace weft::metrics {

/// Last status of the run in `folder` (run_status.hpp), with more fields: `age`, seconds since it was written; `lives`,
/// true while the root is running, or null if only another host can tell; `stopped`, true while a signal stops it; and
/// `checkpoint`, step of the newest checkpoint in the folder, or null if there is none. Throws Refusal if the folder
/// does not exist or has no run, or the file is damaged or of another version.
nlohmann::ordered_json read_status(const std::filesystem::path& folder);

/// Error: `subject` names no folder of a run.
Refusal no_run(const std::string& subject, const std::string& problem);
/// Error: the file exists, but has no valid status.
Refusal no_status(const std::string& file, const std::string& problem);

}  // namespace weft::metrics
