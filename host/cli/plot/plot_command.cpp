#include "host/cli/plot/plot_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ostream>
#include <string>

#include "host/checkpoint/file.hpp"
#include "host/cli/plot/curves.hpp"
#include "host/cli/plot/drawings.hpp"
#include "host/cli/status/status_command.hpp"
#include "host/system/overwrite_guard.hpp"
#include "sw/base/refusal.hpp"

namespace weft::cli {
namespace {

/// True if the locale's characters are UTF-8.
bool is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string locale = value;
    std::ranges::transform(locale, locale.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

/// "train loss from 4.5239 to 4.0050, lowest 4.0011 at step 19".
std::string summary(const Curve& curve) {
  const auto lowest = std::ranges::min_element(curve.points, {}, [](const auto& point) { return point.second; });
  return fmt::format("{} from {:.4f} to {:.4f}, lowest {:.4f} at step {:.0f}", curve.name, curve.points.front().second,
                     curve.points.back().second, lowest->second, lowest->first);
}

}  // namespace

int plot_command(const config::Options& options, std::ostream& out) {
  const std::string run = config::option(options, "run", ""), other = config::option(options, "other", "");
  if (run.empty()) throw Refusal("RUN", "missing", "name the folder of a run, or its metrics.jsonl: weft plot DIR");
  const auto svg = options.find("svg");
  if (svg != options.end()) system::guard_overwrite(svg->second, kSvgStart);
  std::vector<Curve> curves = read_curves(run);
  std::string title = "loss of " + one_line(run, 200);
  if (!other.empty()) {
    title += " and of " + one_line(other, 200);
    for (Curve& curve : read_curves(other)) {
      curve.name = "other " + curve.name;
      curves.push_back(std::move(curve));
    }
  }
  const ScreenSize screen = screen_size().value_or(ScreenSize{.rows = 24, .columns = 80});
  constexpr std::size_t kAround = 6, kLeast = 5, kMost = 24;  // lines
  const std::size_t rows = std::clamp(screen.rows, kLeast + kAround, kMost + kAround) - kAround;
  out << title << '\n'
      << as_text(curves, std::min<std::size_t>(screen.columns, 120), rows, is_utf8() && !options.contains("ascii"));
  for (const Curve& curve : curves) out << summary(curve) << '\n';
  if (svg == options.end()) return 0;
  checkpoint::AtomicFile file(svg->second);
  file.write(as_svg(curves, title));
  file.commit();
  out << "picture " << svg->second << '\n';
  return 0;
}

}  // namespace weft::cli
