#include "bench/chart.hpp"

#include <fmt/format.h>

#include <cmath>

namespace weft::bench {
namespace {

constexpr double kLeft = 70, kRight = 690, kTop = 20, kBottom = 350;

double y_at(double value) { return kBottom - value * (kBottom - kTop); }

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

std::string Chart::svg() const {
  const auto x_at = [&](double value) {
    return kLeft + (std::log2(value) - first_power) / (last_power - first_power) * (kRight - kLeft);
  };
  std::string s =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 420\" width=\"720\" height=\"420\" "
      "font-family=\"sans-serif\" font-size=\"14\" fill=\"#222\">\n"
      "<rect width=\"720\" height=\"420\" fill=\"white\"/>\n";
  for (int tenths = 0; tenths <= 10; tenths += 2) {
    s += line(kLeft, y_at(tenths / 10.0), kRight, y_at(tenths / 10.0), tenths == 0 ? "#222" : "#ddd", 1);
    s += text(kLeft - 8, y_at(tenths / 10.0) + 5, "end", fmt::format("{:.1f}", tenths / 10.0));
  }
  for (int power = first_power; power <= last_power; ++power) {
    const double x = x_at(std::ldexp(1, power));
    s += line(x, kTop, x, kBottom, power == first_power ? "#222" : "#ddd", 1);
    s += text(x, kBottom + 20, "middle", fmt::format("{}", 1 << power));
  }
  s += text((kLeft + kRight) / 2, kBottom + 48, "middle", x_label);
  const double middle = (kTop + kBottom) / 2;
  s += text(20, middle, "middle", y_label, fmt::format(" transform=\"rotate(-90 20 {:.1f})\"", middle));
  double legend = kBottom - 20 * static_cast<double>(series.size());
  for (const Series& one : series) {
    if (one.line) {
      std::string path;
      for (const auto& [x, y] : one.at)
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_at(x), y_at(y));
      s += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", path, one.color);
      s += line(420, legend - 5, 444, legend - 5, one.color, 2);
    } else {
      for (const auto& [x, y] : one.at) s += dot(x_at(x), y_at(y), one);
      s += dot(432, legend - 5, one);
    }
    s += text(454, legend, "start", one.name);
    legend += 20;
  }
  return s + "</svg>\n";
}

}  // namespace weft::bench
