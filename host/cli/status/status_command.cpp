#include "host/cli/status/status_command.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "host/metrics/status/read_status.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/base/refusal.hpp"

namespace weft::cli {

namespace {

/// Handles invalid contents despite the checksum, which any writer of the file can compute.
std::string table_of(const nlohmann::ordered_json& status, const std::string& folder) {
  const auto refuse = [&](const std::exception& error) {
    return metrics::no_status(folder, "the status was not written by a run: " + one_line(error.what(), 200));
  };
  try {
    return status_table(status);
  } catch (const nlohmann::json::exception& error) {
    throw refuse(error);
  } catch (const fmt::format_error& error) {  // a time out of range
    throw refuse(error);
  }
}

/// ASCII only: no characters that reverse text on a terminal.
std::string text_of(const nlohmann::ordered_json& status, const std::string& folder, bool json) {
  return json ? dump_json(status, {.indent = 2, .ascii = true}) + "\n" : table_of(status, folder);
}

bool has_ended(const nlohmann::ordered_json& status) {
  return !status.at("end").is_null() || status.at("lives") == false;
}

/// Lines of the text, cut to the screen: a longer line would wrap, and more lines would scroll.
std::vector<std::string> lines_of(std::string_view text, const ScreenSize& screen) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, std::min(end, screen.columns)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const std::size_t most = std::max<std::size_t>(screen.rows, 2) - 1;  // the cursor is below them
  if (lines.size() <= most) return lines;
  const std::size_t hidden = lines.size() - most + 1;
  lines.resize(most);
  lines.back() = fmt::format("... {} more lines: make the terminal higher", hidden).substr(0, screen.columns);
  return lines;
}

}  // namespace

std::optional<ScreenSize> screen_size() {
  winsize size{};
  if (::isatty(STDOUT_FILENO) == 0 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 ||
      size.ws_row == 0)
    return std::nullopt;
  return ScreenSize{.rows = size.ws_row, .columns = size.ws_col};
}

void watch_status(const std::string& folder, bool json, std::ostream& out,
                  const std::function<std::optional<ScreenSize>()>& size, std::chrono::milliseconds period) {
  std::size_t drawn = 0;
  nlohmann::ordered_json written;
  while (out) {
    const nlohmann::ordered_json status = metrics::read_status(folder);
    const std::string text = text_of(status, folder, json);
    if (const auto screen = size(); screen && !json) {
      std::string frame = drawn == 0 ? "" : fmt::format("\x1b[{}F", drawn);
      const std::vector<std::string> lines = lines_of(text, *screen);
      for (const std::string& line : lines) frame += line + "\x1b[K\n";
      out << frame << "\x1b[J" << std::flush;
      drawn = lines.size();
    } else if (status.at("written") != written || has_ended(status)) {
      out << (written.is_null() || json ? "" : "\n") << text << std::flush;
    }
    if (has_ended(status)) return;
    written = status.at("written");
    std::this_thread::sleep_for(period);
  }
}

int status_command(const config::Options& options, std::ostream& out) {
  using namespace std::chrono_literals;
  const std::string folder = config::option(options, "model_dir", "");
  if (folder.empty()) throw metrics::no_run("--model_dir", "missing");
  const bool json = options.contains("json");
  if (options.contains("watch")) {
    watch_status(folder, json, out, screen_size, 1s);
  } else {
    out << text_of(metrics::read_status(folder), folder, json);
  }
  return 0;
}

}  // namespace weft::cli
