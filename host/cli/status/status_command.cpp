#include "host/cli/status/status_command.hpp"

#include <fmt/format.h>

#include <exception>
#include <ostream>
#include <string>

#include "host/metrics/status/read_status.hpp"
#include "sw/base/refusal.hpp"

namespace weft {

namespace {

/// Handles invalid contents despite the checksum, which any writer of the file can compute.
std::string table_of(const nlohmann::ordered_json& status, const std::string& folder) {
  const auto refuse = [&](const std::exception& error) {
    return no_status(folder, "its status was not written by a run: " + one_line(error.what(), 200));
  };
  try {
    return status_table(status);
  } catch (const nlohmann::json::exception& error) {
    throw refuse(error);
  } catch (const fmt::format_error& error) {  // a time out of range
    throw refuse(error);
  }
}

}  // namespace

int status_command(const Options& options, std::ostream& out) {
  const std::string folder = option(options, "model_dir", "");
  if (folder.empty()) throw no_run("--model_dir", "missing");
  const nlohmann::ordered_json status = read_status(folder);
  if (options.contains("json")) {
    out << status.dump(2, ' ', true) << '\n';  // ASCII only: no characters that reverse text on a terminal
  } else {
    out << table_of(status, folder);
  }
  return 0;
}

}  // namespace weft
