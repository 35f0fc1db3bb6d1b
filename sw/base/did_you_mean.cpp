#include "sw/base/did_you_mean.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace weft {
namespace {

/// Levenshtein distance: the number of insertions, deletions and replacements that turn `a` into `b`.
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

}  // namespace

std::string nearest(std::string_view name, std::span<const std::string_view> known, std::size_t most) {
  std::string_view best;
  std::size_t least = most + 1;
  for (const std::string_view candidate : known) {
    const std::size_t shorter = std::min(name.size(), candidate.size());
    if (std::max(name.size(), candidate.size()) - shorter >= least) continue;  // `name` may be as long as a file
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return std::string(best);
}

std::string did_you_mean(std::string_view name, std::span<const std::string> known, const std::string& otherwise) {
  constexpr std::size_t kMost = 64;
  if (name.size() > kMost) return otherwise;
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string best = nearest(name, names, std::max<std::size_t>(1, name.size() / 2));
  return best.empty() ? otherwise : "did you mean '" + best + "'?";
}

}  // namespace weft
