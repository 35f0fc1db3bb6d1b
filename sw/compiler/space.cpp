#include "sw/compiler/space.hpp"

#include <algorithm>

namespace weft {

void Space::place(int feature, int row) {
  row_[feature] = row;
  slot_[feature] = static_cast<int>(at_[row].size());
  at_[row].push_back(feature);
}

int Space::slots() const {
  std::size_t most = 0;
  for (const auto& row : at_) most = std::max(most, row.size());
  return static_cast<int>(most);
}

Space Space::dealt(int features, int rows) {
  Space space(features, rows);
  for (int f = 0; f < features; ++f) space.place(f, f % rows);
  return space;
}

int rows_per_head(int heads, int dim, int rows) { return std::clamp(rows / heads, 1, dim); }

Space Space::heads(int heads, int dim, int rows) {
  Space space(heads * dim, rows);
  const int spread = rows_per_head(heads, dim, rows);
  for (int h = 0; h < heads; ++h)
    for (int j = 0; j < dim; ++j)
      space.place(h * dim + j, spread > 1 ? h * spread + j % spread : h % rows);
  return space;
}

}  // namespace weft
