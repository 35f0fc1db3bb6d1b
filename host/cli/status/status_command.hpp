/// `weft status --model_dir DIR`: shows the activity of a run's ranks, for people and programs.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>

#include "host/config/command_line/options.hpp"

namespace weft {

/// Prints the status of the run in --model_dir as a table, or with --json as the object of read_status. Returns 0.
/// Throws Refusal as read_status does.
int status_command(const Options& options, std::ostream& out);

/// Formats a status from read_status as a table.
std::string status_table(const nlohmann::ordered_json& status);

}  // namespace weft
