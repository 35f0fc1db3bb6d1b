#include "sw/compiler/loads.hpp"

#include <algorithm>
#include <numeric>

namespace weft {

Loads count_loads(const ModelShape& m, const std::vector<TensorInfo>& tensors, const std::vector<bool>& kept) {
  if (kept.empty()) return {};
  const auto zeros = [](int features) { return std::vector<std::uint64_t>(static_cast<std::size_t>(features)); };
  Loads loads{zeros(m.hidden), zeros(m.filter), zeros(m.vocab), zeros(m.hidden), zeros(m.seq)};
  const auto of = [&](Role role) -> std::vector<std::uint64_t>& {
    switch (role) {
      case Role::Filter:
        return loads.filter;
      case Role::Vocab:
        return loads.vocab;
      case Role::Head:
        return loads.head;
      case Role::Position:
        return loads.position;
      case Role::Hidden:
        break;
    }
    return loads.hidden;
  };
  for (const TensorInfo& t : tensors) {
    if (t.roles.size() != 2) continue;
    std::vector<std::uint64_t>&rows = of(t.roles[0]), &columns = of(t.roles[1]);
    const auto width = static_cast<std::uint64_t>(t.dims[1]);
    for (std::uint64_t k = 0; k < t.size; ++k) {
      if (!kept[t.offset + k]) continue;
      ++rows[k / width % rows.size()];
      ++columns[k % width % columns.size()];  // q, k and v share the features of heads
    }
  }
  return loads;
}

std::vector<int> heaviest_first(int size, const std::vector<std::uint64_t>& loads) {
  std::vector<int> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  if (!loads.empty())
    std::ranges::stable_sort(
        order, [&](int a, int b) { return loads[static_cast<std::size_t>(a)] > loads[static_cast<std::size_t>(b)]; });
  return order;
}

}  // namespace weft
