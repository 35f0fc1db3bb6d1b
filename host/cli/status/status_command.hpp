/// `weft status --model_dir DIR`: shows the activity of a run's ranks, for people and programs.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "host/config/command_line/options.hpp"

namespace weft::cli {

/// Prints the status of the run in --model_dir as a table, or with --json as the object of read_status; with --watch,
/// until the run ends. Returns 0. Throws Refusal as read_status does.
int status_command(const config::Options& options, std::ostream& out);

/// In characters.
struct ScreenSize {
  std::size_t rows, columns;
};
/// Size of the terminal at standard output; nullopt if that is not a terminal, or one that does not know its size.
std::optional<ScreenSize> screen_size();

/// Prints the status every `period` until the run has ended. On a screen the table is drawn over the previous one, line
/// by line, so that it does not flicker; elsewhere, and with `json`, each new status is printed below. Throws Refusal
/// as read_status does.
void watch_status(const std::string& folder, bool json, std::ostream& out,
                  const std::function<std::optional<ScreenSize>()>& size, std::chrono::milliseconds period);

/// Formats a status from read_status as a table.
std::string status_table(const nlohmann::ordered_json& status);

}  // namespace weft::cli
