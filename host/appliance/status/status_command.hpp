/// `weft status --model_dir DIR`: who does what in a run, for people and for programs.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>

#include "host/config/options.hpp"

namespace weft {

/// Prints the status of the run in --model_dir as a table, or with --json as the object of read_status. Returns 0.
/// Throws Refusal, as that does.
int status_command(const Options& options, std::ostream& out);

/// The table of a status that read_status has returned.
std::string status_table(const nlohmann::ordered_json& status);

}  // namespace weft
