#include "sw/compiler/memory/overlay.hpp"

#include <algorithm>

namespace weft::compiler {

void Overlaid::use(std::size_t step, bool makes) {
  if (!times.empty() && (!makes || times.back().last == step)) {
    times.back().last = step;
  } else {
    times.push_back({step, step});
  }
}

bool Overlaid::overlaps(const Overlaid& other) const {
  auto a = times.begin(), b = other.times.begin();
  while (a != times.end() && b != other.times.end()) {
    if (a->last < b->first) {
      ++a;
    } else if (b->last < a->first) {
      ++b;
    } else {
      return true;
    }
  }
  return false;
}

std::int64_t place_overlays(std::vector<Overlaid>& arrays) {
  std::int64_t all = 0;
  for (std::size_t n = 0; n < arrays.size(); ++n) {
    Overlaid& array = arrays[n];
    std::vector<const Overlaid*> others;
    for (std::size_t k = 0; k < n; ++k)
      if (array.overlaps(arrays[k])) others.push_back(&arrays[k]);
    std::ranges::sort(others, {}, &Overlaid::at);
    for (const Overlaid* other : others)
      if (other->at < array.at + array.elements) array.at = std::max(array.at, other->at + other->elements);
    all = std::max(all, array.at + array.elements);
  }
  return all;
}

}  // namespace weft::compiler
