#include "bench/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft::bench {
namespace {

constexpr double kLeft = 70, kRight = 690, kTop = 20, kBottom = 350;

std::string text(double x, double y, const std::string& anchor, const std::string& what, const std::string& more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more, what);
}

std::string line(double x1, double y1, double x2, double y2, const std::string& color, double width) {
  return fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"{}\"/>\n", x1, y1, x2, y2,
                     color, width);
}

std::string dot(double x, double y, const Series& s) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"/>\n", x,
                     y, s.filled ? s.color : "white", s.color);
}

}  // namespace

double Axis::share(double value) const {
  return logarithmic ? std::log(value / first) / std::log(last / first) : (value - first) / (last - first);
}

std::string Chart::svg() const {
  const auto x_at = [&](double value) { return kLeft + x.share(value) * (kRight - kLeft); };
  const auto y_at = [&](double value) { return kBottom - y.share(value) * (kBottom - kTop); };
  std::string s =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 420\" width=\"720\" height=\"420\" "
      "font-family=\"sans-serif\" font-size=\"14\" fill=\"#222\">\n"
      "<rect width=\"720\" height=\"420\" fill=\"white\"/>\n";
  for (const auto& [value, what] : y.ticks) {
    s += line(kLeft, y_at(value), kRight, y_at(value), value == y.first ? "#222" : "#ddd", 1);
    s += text(kLeft - 8, y_at(value) + 5, "end", what);
  }
  for (const auto& [value, what] : x.ticks) {
    s += line(x_at(value), kTop, x_at(value), kBottom, value == x.first ? "#222" : "#ddd", 1);
    s += text(x_at(value), kBottom + 20, "middle", what);
  }
  s += text((kLeft + kRight) / 2, kBottom + 48, "middle", x.label);
  const double middle = (kTop + kBottom) / 2;
  s += text(20, middle, "middle", y.label, fmt::format(" transform=\"rotate(-90 20 {:.1f})\"", middle));
  const auto named = std::ranges::count_if(series, [](const Series& one) { return !one.name.empty(); });
  const double left = legend_above ? kLeft + 20 : 420;
  double legend = legend_above ? kTop + 20 : kBottom - 20 * static_cast<double>(named);
  for (const Series& one : series) {
    std::string path;
    for (const auto& [at_x, at_y] : one.at) {
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_at(at_x), y_at(at_y));
      if (!one.line) s += dot(x_at(at_x), y_at(at_y), one);
    }
    if (one.line)
      s += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", path, one.color);
    if (one.name.empty()) continue;
    s += one.line ? line(left, legend - 5, left + 24, legend - 5, one.color, 2) : dot(left + 12, legend - 5, one);
    s += text(left + 34, legend, "start", one.name);
    legend += 20;
  }
  return s + "</svg>\n";
}

}  // namespace weft::bench
