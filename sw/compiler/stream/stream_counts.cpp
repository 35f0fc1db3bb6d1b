#include "sw/compiler/stream/stream_counts.hpp"

#include <algorithm>

namespace weft {
namespace {

/// Counts of the taps common to all outputs of a line.
struct Common {
  explicit Common(const std::vector<std::vector<Tap>>& rows) {
    for (const std::vector<Tap>& row : rows) taps.push_back(static_cast<std::uint32_t>(row.size()));
    fullest = *std::ranges::max_element(taps);
  }
  std::vector<std::uint32_t> taps;  ///< [row]
  std::uint32_t fullest;
};

}  // namespace

SweepCounts::SweepCounts(const Sweep& sweep) {
  if (sweep.empty()) return;
  taps.resize(static_cast<std::size_t>(sweep.outputs->rows()));
  SweepReader reader(sweep);
  std::vector<Common> common;
  for (std::size_t line = 0; line < sweep.lines.size() && reader.is_whole(); ++line)
    common.emplace_back(reader.common(line));
  std::vector<std::uint32_t> own(taps.size());
  std::vector<Tap> some;
  while (reader.next()) {
    ++lines;
    const auto line = static_cast<std::size_t>(reader.line());
    if (reader.is_whole()) {
      std::uint32_t most = common[line].fullest;
      for (const Tap& tap : reader.extras()) {
        ++taps[tap.row];
        const auto same = std::ranges::count(reader.extras(), tap.row, &Tap::row);
        most = std::max(most, common[line].taps[tap.row] + static_cast<std::uint32_t>(same));
      }
      ++fullest[static_cast<int>(most)];
      continue;
    }
    for (std::size_t row = 0; row < taps.size(); ++row) {
      own[row] = static_cast<std::uint32_t>(reader.count_of_row(static_cast<int>(row), some));
      taps[row] += own[row];
    }
    ++fullest[static_cast<int>(*std::ranges::max_element(own))];
  }
  for (const Common& line : common)
    for (std::size_t row = 0; row < taps.size(); ++row)
      taps[row] += line.taps[row] * static_cast<std::uint32_t>(sweep.outputs->features());
}

}  // namespace weft
