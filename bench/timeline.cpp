#include "bench/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft::bench {
namespace {

constexpr const char* kColors[] = {"#0b62a4", "#d99a2b", "#5b9a3c", "#c2571a"};
constexpr double kLeft = 90, kRight = 700, kTop = 44, kRow = 44, kBar = 28;

std::string text(double x, double y, const char* anchor, const std::string& what) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, what);
}

std::string bar(double x, double y, double width, double height, const std::string& color) {
  return fmt::format("<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\"/>\n", x, y, width,
                     height, color);
}

/// Distance of about six ticks: 1, 2 or 5 times a power of ten.
double tick_of(double seconds) {
  const double power = std::pow(10, std::floor(std::log10(seconds / 6)));
  for (const double times : {1, 2, 5}) {
    if (times * power * 6 >= seconds) return times * power;
  }
  return 10 * power;
}

}  // namespace

std::vector<Interval> joined(std::vector<Interval> intervals, double gap) {
  std::ranges::sort(intervals, {}, &Interval::begin);
  std::vector<Interval> result;
  for (const Interval& one : intervals) {
    if (!result.empty() && result.back().step == one.step && one.begin <= result.back().end + gap) {
      result.back().end = std::max(result.back().end, one.end);
    } else {
      result.push_back(one);
    }
  }
  return result;
}

double covered(std::vector<Interval> intervals, const Interval& within) {
  for (Interval& one : intervals) one.step = 0;
  double seconds = 0;
  for (const Interval& one : joined(std::move(intervals), 0))
    seconds += std::max(0.0, std::min(one.end, within.end) - std::max(one.begin, within.begin));
  return seconds;
}

std::string Timeline::svg() const {
  const auto x_at = [&](double seconds) {
    return kLeft + std::clamp((seconds - first) / (last - first), 0.0, 1.0) * (kRight - kLeft);
  };
  const double bottom = kTop + kRow * static_cast<double>(rows.size()), height = bottom + 56;
  std::string s = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 {0:.0f}\" width=\"720\" height=\"{0:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"14\" fill=\"#222\">\n<rect width=\"720\" height=\"{0:.0f}\" "
      "fill=\"white\"/>\n",
      height);
  double legend = kLeft;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    s += bar(legend, 14, 14, 14, kColors[k % std::size(kColors)]) + text(legend + 20, 26, "start", steps[k]);
    legend += 44 + 8 * static_cast<double>(steps[k].size());
  }
  const double tick = tick_of(last - first);
  for (double at = 0; at <= last - first + tick / 100; at += tick) {
    s += bar(x_at(first + at), kTop, 1, bottom - kTop, "#ddd");
    s += text(x_at(first + at), bottom + 20, "middle", fmt::format("{:g}", 1000 * at));
  }
  s += text((kLeft + kRight) / 2, bottom + 44, "middle", "milliseconds");
  // Invisible gaps are removed, because there are thousands of bars.
  const double visible = (last - first) / (kRight - kLeft) / 2;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double y = kTop + kRow * static_cast<double>(r) + (kRow - kBar) / 2;
    s += text(kLeft - 10, y + kBar / 2 + 5, "end", rows[r].name);
    for (const Interval& one : joined(rows[r].at, visible)) {
      if (one.end < first || one.begin > last) continue;
      const double x = x_at(one.begin);
      s += bar(x, y, std::max(x_at(one.end) - x, 0.5), kBar,
               kColors[static_cast<std::size_t>(one.step) % std::size(kColors)]);
    }
  }
  return s + "</svg>\n";
}

}  // namespace weft::bench
