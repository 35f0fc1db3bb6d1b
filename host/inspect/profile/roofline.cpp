#include "host/inspect/profile/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft::inspect::profile {
namespace {

constexpr int kColumns = 64, kLines = 16;
constexpr double kLeast = 1e-3;  // fraction of the lanes below which a phase is not plotted

/// A logarithmic axis with `places` positions.
struct Axis {
  double low, high;
  int places;
  int at(double value) const {
    const double part = std::log(value / low) / std::log(high / low);
    return std::clamp(static_cast<int>(std::lround(part * (places - 1))), 0, places - 1);
  }
  double value(int place) const { return low * std::pow(high / low, static_cast<double>(place) / (places - 1)); }
};

char letter(std::size_t i) {
  return i < 26 ? static_cast<char>('A' + i) : i < 52 ? static_cast<char>('a' + i - 26) : '?';
}

}  // namespace

double Roofline::ceiling(double intensity) const { return std::min(lanes, valves * intensity); }

Roofline roofline(const Profile& profile) {
  Roofline r{.lanes = static_cast<double>(profile.tiles()) * profile.wafer.lanes,
             .valves = static_cast<double>(profile.wafer.valves),
             .points = {}};
  for (const Sum& sum : by_kind(profile)) {
    if (sum.multiply_adds == 0 || sum.sent == 0 || sum.tile_cycles == 0) continue;
    const auto work = static_cast<double>(sum.multiply_adds);
    const RooflinePoint point{sum.name, work / static_cast<double>(sum.sent), work / sum.mean()};
    if (point.rate > kLeast * r.lanes) r.points.push_back(point);
  }
  return r;
}

std::string draw(const Roofline& r) {
  if (r.points.empty()) return "";
  double left = r.lanes / r.valves / 8, right = r.lanes / r.valves * 8, low = r.lanes / 8;
  for (const RooflinePoint& p : r.points) {
    left = std::min(left, p.intensity / 2);
    right = std::max(right, p.intensity * 2);
    low = std::min(low, p.rate / 2);
  }
  const Axis x{left, right, kColumns}, y{low, r.lanes * 1.3, kLines};
  std::vector<std::string> lines(kLines, std::string(kColumns, ' '));
  const auto put = [&](int column, double rate, char c) {
    lines[static_cast<std::size_t>(kLines - 1 - y.at(rate))][static_cast<std::size_t>(column)] = c;
  };
  for (int column = 0; column < kColumns; ++column) {
    const double ceiling = r.ceiling(x.value(column));
    if (ceiling >= low) put(column, ceiling, ceiling < r.lanes ? '/' : '-');
  }
  for (std::size_t i = 0; i < r.points.size(); ++i) put(x.at(r.points[i].intensity), r.points[i].rate, letter(i));
  std::string text =
      fmt::format("multiply-adds a cycle; at most {:.0f}, {:.0f} messages in a cycle\n", r.lanes, r.valves);
  for (int line = 0; line < kLines; ++line)
    text += fmt::format("{:>8.3g} |{}\n", y.value(kLines - 1 - line), lines[static_cast<std::size_t>(line)]);
  text += fmt::format("{:>8} +{}\n{:>10}{:<{}.3g}{:>8.3g}  multiply-adds a message\n", "", std::string(kColumns, '-'),
                      "", left, kColumns - 8, right);
  for (std::size_t i = 0; i < r.points.size(); ++i) {
    const RooflinePoint& p = r.points[i];
    text += fmt::format("  {} {:<34} {:>8.2f} a cycle, {:>4.1f} % of its ceiling {:.1f}\n", letter(i), p.name, p.rate,
                        100 * p.rate / r.ceiling(p.intensity), r.ceiling(p.intensity));
  }
  return text;
}

}  // namespace weft::inspect::profile
