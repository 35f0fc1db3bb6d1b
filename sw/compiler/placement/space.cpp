#include "sw/compiler/placement/space.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <utility>

#include "sw/compiler/placement/loads.hpp"

namespace weft::compiler {

void Space::place(int feature, int row) {
  row_[feature] = row;
  slot_[feature] = static_cast<int>(at_[row].size());
  at_[row].push_back(feature);
  slots_ = std::max(slots_, slot_[feature] + 1);
}

Space Space::on_rows(const std::vector<int>& rows_of, int rows) {
  Space space(static_cast<int>(rows_of.size()), rows);
  for (int f = 0; f < space.features(); ++f) space.place(f, rows_of[f]);
  return space;
}

Space Space::interleaved(const std::vector<int>& order, int rows) {
  const int features = static_cast<int>(order.size());
  Space space(features, rows);
  for (auto& row : space.at_) row.reserve(static_cast<std::size_t>((features + rows - 1) / rows));
  for (int k = 0; k < features; ++k) space.place(order[k], k % rows);
  return space;
}

Space Space::listed(std::vector<std::vector<int>> at) {
  std::size_t features = 0;
  for (const std::vector<int>& row : at) features += row.size();
  Space space(static_cast<int>(features), static_cast<int>(at.size()));
  std::vector<bool> placed(features);
  for (std::size_t row = 0; row < at.size(); ++row) {
    for (const int f : at[row]) {
      if (f < 0 || static_cast<std::size_t>(f) >= features || placed[static_cast<std::size_t>(f)])
        throw std::invalid_argument("a placement has each feature once");
      placed[static_cast<std::size_t>(f)] = true;
      space.place(f, static_cast<int>(row));
    }
  }
  return space;
}

double Space::fullest_over_mean(const std::vector<std::uint64_t>& loads) const {
  std::uint64_t all = 0, most = 0;
  for (const auto& row : at_) {
    std::uint64_t own = 0;
    for (const int f : row) own += loads[static_cast<std::size_t>(f)];
    all += own;
    most = std::max(most, own);
  }
  return all == 0 ? 1 : static_cast<double>(most) * static_cast<double>(at_.size()) / static_cast<double>(all);
}

Space Space::by_load(int features, int rows, const std::vector<std::uint64_t>& loads) {
  constexpr double kEven = 1.05, kAlike = 4;
  const std::vector<int> order = heaviest_first(features, loads);
  Space space = interleaved(order, rows);
  if (loads.empty()) return space;
  const auto all = static_cast<double>(std::accumulate(loads.begin(), loads.end(), std::uint64_t{0}));
  const auto heaviest = static_cast<double>(loads[static_cast<std::size_t>(order.front())]);
  if (heaviest * features <= kAlike * all || space.fullest_over_mean(loads) <= kEven) return space;
  Space filled(features, rows);
  using Row = std::pair<std::uint64_t, int>;  // load, row: of equal ones the first
  std::priority_queue<Row, std::vector<Row>, std::greater<>> lightest;
  for (int row = 0; row < rows; ++row) lightest.emplace(0, row);
  for (const int f : order) {
    const auto [load, row] = lightest.top();
    lightest.pop();
    filled.place(f, row);
    if (filled.count(row) < space.slots()) lightest.emplace(load + loads[static_cast<std::size_t>(f)], row);
  }
  return filled.fullest_over_mean(loads) < space.fullest_over_mean(loads) ? filled : space;
}

int rows_per_head(int heads, int dim, int rows, int unit) { return std::clamp(rows / heads, 1, dim / unit); }

Space Space::heads(int heads, int dim, int rows, const std::vector<std::uint64_t>& loads, int unit,
                   const std::vector<int>& order_in_head) {
  Space space(heads * dim, rows);
  const int spread = rows_per_head(heads, dim, rows, unit);
  std::vector<std::uint64_t> of_head;
  for (std::size_t f = 0; f < loads.size(); f += static_cast<std::size_t>(dim))
    of_head.push_back(std::accumulate(loads.begin() + f, loads.begin() + f + dim, std::uint64_t{0}));
  const std::vector<int> order = heaviest_first(heads, of_head);
  std::vector<int> place_of(order.size()),
      features = heaviest_first(heads * dim, unit == 1 ? loads : std::vector<std::uint64_t>{});
  for (int k = 0; k < heads; ++k) place_of[order[k]] = k;
  std::ranges::stable_sort(features, {}, [&](int f) { return place_of[f / dim]; });
  for (int n = 0; n < heads * dim; ++n) {
    const int k = n / dim, j = n % dim;
    const int feature = order_in_head.empty() ? features[n] : features[n] - j + order_in_head[j];
    space.place(feature, spread > 1 ? k * spread + j / unit % spread : k % rows);
  }
  return space;
}

}  // namespace weft::compiler
