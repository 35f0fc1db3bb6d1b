#include "host/appliance/status/status_command.hpp"

#include <fmt/format.h>

#include <exception>
#include <ostream>
#include <string>

#include "host/appliance/status/read_status.hpp"
#include "sw/base/refusal.hpp"

namespace weft {

namespace {

/// Who can write the file can seal anything.
std::string table_of(const nlohmann::ordered_json& status, const std::string& folder) {
  const auto refuse = [&](const std::exception& error) {
    return no_status(folder, "its status is none that a run writes: " + one_line(error.what(), 200));
  };
  try {
    return status_table(status);
  } catch (const nlohmann::json::exception& error) {
    throw refuse(error);
  } catch (const fmt::format_error& error) {  // a time that no clock has
    throw refuse(error);
  }
}

}  // namespace

int status_command(const Options& options, std::ostream& out) {
  const std::string folder = option(options, "model_dir", "");
  if (folder.empty()) throw no_run("--model_dir", "missing");
  const nlohmann::ordered_json status = read_status(folder);
  if (options.contains("json")) {
    out << status.dump(2, ' ', true) << '\n';  // ASCII: no character that turns a terminal's lines around
  } else {
    out << table_of(status, folder);
  }
  return 0;
}

}  // namespace weft
