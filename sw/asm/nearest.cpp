#include "sw/asm/nearest.hpp"

#include <algorithm>
#include <numeric>

namespace weft::assembler {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::string nearest(std::string_view name, std::span<const std::string> names) {
  std::string best;
  if (name.size() > 64) return best;  // too long for a typing error, and slow to compare
  std::size_t least = std::max<std::size_t>(1, name.size() / 2) + 1;
  for (const std::string& candidate : names) {
    if (candidate.size() > name.size() + least) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> names, const std::string& otherwise) {
  const std::string best = nearest(name, names);
  return best.empty() ? otherwise : "did you mean '" + best + "'?";
}

}  // namespace weft::assembler
