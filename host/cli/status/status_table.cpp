#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "host/checkpoint/error.hpp"
#include "host/cli/status/status_command.hpp"
#include "host/config/plural.hpp"
#include "host/metrics/report.hpp"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

std::string text_at(const Json& json, const char* key) { return printable(json.at(key).get<std::string>()); }

std::string clock_time(double seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(static_cast<std::time_t>(seconds)));
}

std::string run_line(const Json& status) {
  const Json& loss = status.at("loss");
  std::string line = fmt::format("run     step {} of {}", status.at("step").get<std::uint64_t>(),
                                 status.at("steps").get<std::uint64_t>());
  if (!loss.is_null()) line += fmt::format(", loss {:.5f}", loss.get<double>());
  if (!status.at("end").is_null()) return line + ": " + one_line(status.at("end").get<std::string>());
  const Json& lives = status.at("lives");
  if (lives.is_null())
    return line +
           ": at work when the status was written; run this command on the root's host to check if the run is still at "
           "work";
  if (status.at("stopped").get<bool>())
    return line +
           fmt::format(": the root is stopped. HINT: kill -CONT {} resumes the root", status.at("pid").get<int>());
  if (lives.get<bool>()) return line + ": at work";
  const Json& checkpoint = status.at("checkpoint");
  return line + ": the root ended without a reason. HINT: check the end of the root's output; " +
         (checkpoint.is_null() ? "no checkpoint was saved, so that the same command starts the run again"
                               : fmt::format("the same command continues from the checkpoint of step {}",
                                             checkpoint.get<std::uint64_t>()));
}

std::string written_line(const Json& status) {
  const Json& lives = status.at("lives");
  const bool gone = lives.is_boolean() && !lives.get<bool>();
  return fmt::format("written {} ago, {}, by process {} on {}{}", metrics::duration(status.at("age").get<double>()),
                     clock_time(status.at("written").get<double>()), status.at("pid").get<std::int64_t>(),
                     text_at(status, "host"), gone ? ", which has ended" : "");
}

/// Empty before the first step.
std::string times_line(const Json& status) {
  double sum = 0;
  for (const auto& [name, seconds] : status.at("times").items()) sum += seconds.get<double>();
  if (sum <= 0) return "";
  std::string line = fmt::format("time    of the last step, {:.3f} s:", sum);
  for (const auto& [name, seconds] : status.at("times").items())
    line += fmt::format(" {} {:.0f}%", printable(name), 100 * seconds.get<double>() / sum);
  return line + "\n";
}

/// Empty in a single process, and before the first step.
std::string stall_line(const Json& status) {
  if (!status.contains("stall")) return "";
  return fmt::format("network longest stall of the root's thread: {:.3f} s in the last step, {:.3f} s in all\n",
                     status.at("stall").get<double>(), status.at("longest_stall").get<double>());
}

std::string at_text(const Json& line) {
  const auto at = line.find("at");
  if (at == line.end()) return "";
  const auto step = at->at("step").get<std::uint64_t>();
  const std::string of = step == 0                     ? "a finished step"
                         : at->at("train").get<bool>() ? fmt::format("step {}", step)
                                                       : "an evaluation";
  return fmt::format(": micro-batch {} of {}, {:.1f} s", at->at("micro_batch").get<std::uint32_t>(), of,
                     at->at("seconds").get<double>());
}

std::string state_text(const Json& line) {
  const std::string state = text_at(line, "state");
  if (state == "lost")
    return fmt::format("lost at {}: {}", clock_time(line.at("since").get<double>()),
                       one_line(line.at("why").get<std::string>()));
  const double since = line.at("since").get<double>();
  if (state == "awaited" && since > 0) return "awaited since " + clock_time(since);
  if (state == "leaves") return "leaves: " + one_line(line.at("why").get<std::string>());
  const std::string node = text_at(line, "node");
  const std::string why = state == "slow" ? "; " + one_line(line.at("why").get<std::string>()) : "";
  return state + (node.empty() ? "" : " below " + node) + at_text(line) + why;
}

Cells cells_of(const Json& line) {
  const auto count = [&](const char* key) { return line.at(key).get<std::uint64_t>(); };
  const bool wafer = line.at("role") == "wafer";
  const auto bytes = [&](const char* key) { return config::format_bytes(static_cast<double>(count(key))); };
  return {fmt::format("{}", count("rank")),
          text_at(line, "role"),
          text_at(line, "name"),
          line.at("host").get<std::string>().empty() ? "-" : text_at(line, "host"),
          fmt::format("{}", count("micro_batches")),
          bytes("bytes_to"),
          bytes("bytes_from"),
          wafer ? fmt::format("{:.1f} s", line.at("waits").get<double>()) : "-",
          fmt::format("{}", count("losses")),
          state_text(line)};
}

/// Pads the columns to the width of their contents.
std::string aligned(const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Cells& row : rows)
    for (std::size_t n = 0; n < row.size(); ++n) widths[n] = std::max(widths[n], row[n].size());
  std::string result;
  for (const Cells& row : rows) {
    for (std::size_t n = 0; n + 1 < row.size(); ++n) result += fmt::format("{:<{}}  ", row[n], widths[n]);
    result += row.back() + "\n";
  }
  return result;
}

}  // namespace

std::string status_table(const Json& status) {
  const std::string at = status.at("end").is_null() ? text_at(status, "at") : "-";
  std::vector<Cells> rows = {
      {"rank", "role", "name", "host", "micro-batches", "sent to", "got from", "waits", "losses", "state"},
      {"0", "root", "MemoryX", text_at(status, "host"), "-", "-", "-", "-", "-", at}};
  for (const Json& line : status.at("ranks")) rows.push_back(cells_of(line));
  return run_line(status) + "\n" + written_line(status) + "\n" + times_line(status) + stall_line(status) + "\n" +
         aligned(rows);
}

}  // namespace weft::cli
