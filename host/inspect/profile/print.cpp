#include "host/inspect/profile/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "host/inspect/profile/bound.hpp"

namespace weft::inspect::profile {
namespace {

constexpr int kLeft = 76;                 // columns before the stall reasons
constexpr std::size_t kMapsAcross = 160;  // total width of maps side by side

std::string cause_line(const Sum& sum, int thread) {
  std::string line;
  for (std::size_t c = 0; c < sim::kStallReasons; ++c) {
    const std::uint64_t count = sum.counts[static_cast<std::size_t>(thread)][c];
    line += count ? fmt::format("{:>8.1f}", 100 * sum.part(thread, static_cast<isa::StallReason>(c)))
                  : fmt::format("{:>8}", ".");
  }
  return line;
}

void print_sum(const Sum& sum, double all, std::ostream& out) {
  const std::string name = sum.phases > 1 ? fmt::format("{} ({}x)", sum.name, sum.phases) : sum.name;
  out << fmt::format("{:<{}}{:>10.0f}{:>7.1f} %  main{}\n", name, kLeft - 25, sum.mean(),
                     100 * static_cast<double>(sum.tile_cycles) / std::max(1.0, all), cause_line(sum, 0));
  out << fmt::format("  {:<{}}psum{}\n", bound(sum), kLeft - 6, cause_line(sum, 1));
}

/// A cell of the map: two characters wide, so that it is roughly square.
std::string cell(double part, bool colors) {
  if (colors) {
    const Color c = heat_color(part);
    return fmt::format("\x1b[38;2;{};{};{}m██\x1b[0m", c.red, c.green, c.blue);
  }
  static constexpr const char* kShades[] = {"  ", "░░", "▒▒", "▓▓", "██"};
  return kShades[std::clamp(static_cast<int>(std::lround(part * 4)), 0, 4)];
}

}  // namespace

Color heat_color(double part) {
  // Dark blue, violet, orange, pale yellow: brighter means more, even without color.
  static constexpr Color kStops[] = {{20, 22, 60}, {94, 30, 120}, {200, 60, 80}, {250, 150, 50}, {252, 250, 190}};
  const double at = std::clamp(part, 0.0, 1.0) * 4;
  const auto i = std::min<std::size_t>(3, static_cast<std::size_t>(at));
  const double f = at - static_cast<double>(i);
  const auto mix = [f](int a, int b) { return static_cast<int>(std::lround(a + f * (b - a))); };
  const Color &a = kStops[i], &b = kStops[i + 1];
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

void print_table(const Profile& profile, std::ostream& out) {
  out << fmt::format("{:<{}}{:>10}{:>9}  {:<4}", "phase, and its bound", kLeft - 25, "cycles", "share", "");
  for (const auto name : isa::kStallNames) out << fmt::format("{:>8}", name);
  out << '\n';
  const Sum all = total(profile);
  for (const Sum& sum : by_kind(profile)) print_sum(sum, static_cast<double>(all.tile_cycles), out);
  print_sum(all, static_cast<double>(all.tile_cycles), out);
}

void print_heat(const Profile& profile, bool colors, std::ostream& out) {
  const std::vector<Sum> kinds = by_kind(profile);
  const auto cols = static_cast<std::size_t>(profile.wafer.cols);
  std::size_t width = 2 * cols;
  for (const Sum& sum : kinds) width = std::max(width, sum.name.size());
  width += 2;
  const std::size_t across = std::max<std::size_t>(1, kMapsAcross / width);
  out << "beats a cycle of each tile's vector unit (north above, the host in the west): ";
  for (int i = 0; i <= 4; ++i) out << cell(i / 4.0, colors) << fmt::format(" {} %  ", 25 * i);
  out << '\n';
  for (std::size_t first = 0; first < kinds.size(); first += across) {
    const std::size_t end = std::min(kinds.size(), first + across);
    for (std::size_t k = first; k < end; ++k) out << fmt::format("{:<{}}", kinds[k].name, width);
    out << '\n';
    for (int row = 0; row < profile.wafer.rows; ++row) {
      for (std::size_t k = first; k < end; ++k) {
        for (std::size_t col = 0; col < cols; ++col)
          out << cell(kinds[k].busy(static_cast<std::size_t>(row) * cols + col), colors);
        out << std::string(width - 2 * cols, ' ');
      }
      out << '\n';
    }
    out << '\n';
  }
}

void print_losses(const Profile& profile, std::ostream& out) {
  const std::vector<Loss> list = losses(profile);
  out << fmt::format("the largest losses, of {:.0f} cycles (main, the mean over tiles)\n", total(profile).mean());
  for (std::size_t i = 0; i < std::min<std::size_t>(3, list.size()); ++i)
    out << fmt::format("  {}. {:.0f} cycles, {:.1f} %: {}\n", i + 1, list[i].cycles, 100 * list[i].part, list[i].words);
}

}  // namespace weft::inspect::profile
