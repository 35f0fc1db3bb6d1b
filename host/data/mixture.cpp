#include "host/data/mixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sw/base/refusal.hpp"

namespace weft::data {
namespace {

/// Largest-remainder rounding: parts are rounded down, and the remaining ones go to the sets that lost most, the first
/// of equal ones.
std::vector<std::uint64_t> parts_of(std::span<const double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::uint64_t> parts;
  std::vector<double> lost;
  for (const double weight : weights) {
    const double exact = weight / sum * static_cast<double>(Mixture::kCycle);
    parts.push_back(static_cast<std::uint64_t>(std::floor(exact + 1e-6)));  // 0.29 / 1 * 10000 is below 2900
    lost.push_back(exact - static_cast<double>(parts.back()));
  }
  while (std::accumulate(parts.begin(), parts.end(), std::uint64_t{0}) < Mixture::kCycle) {
    const auto most = std::ranges::max_element(lost);
    ++parts[static_cast<std::size_t>(most - lost.begin())];
    *most -= 1;
  }
  for (std::size_t set = 0; set < parts.size(); ++set) {
    if (parts[set] > 0) continue;
    throw Refusal("", fmt::format("{} of {} is less than one sample in {}", weights[set], sum, Mixture::kCycle),
                  "use a greater one, or leave that data set out");
  }
  return parts;
}

}  // namespace

Mixture::Mixture(std::span<const double> weights) : parts_(parts_of(weights)) {
  std::vector<std::uint64_t> assigned(parts_.size());
  const auto begins = [&](std::size_t set) { return assigned[set] * kCycle / parts_[set]; };
  const auto ends = [&](std::size_t set) { return ((assigned[set] + 1) * kCycle + parts_[set] - 1) / parts_[set]; };
  for (std::uint64_t position = 0; position < kCycle; ++position) {
    std::size_t next = parts_.size();
    for (std::size_t set = 0; set < parts_.size(); ++set) {
      if (begins(set) <= position && (next == parts_.size() || ends(set) < ends(next))) next = set;
    }
    cycle_.push_back({next, assigned[next]++});
  }
}

Mixture::Place Mixture::at(std::uint64_t position) const {
  const Place& place = cycle_[position % kCycle];
  return {place.set, position / kCycle * parts_[place.set] + place.position};
}

}  // namespace weft::data
