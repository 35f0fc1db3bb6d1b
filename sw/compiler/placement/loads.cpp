#include "sw/compiler/placement/loads.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace weft::compiler {

Loads count_loads(const ModelShape& m, const std::vector<TensorInfo>& tensors, const std::vector<bool>& kept) {
  if (kept.empty()) return {};
  const auto zeros = [](int features) { return std::vector<std::uint64_t>(static_cast<std::size_t>(features)); };
  Loads loads{zeros(m.hidden), zeros(m.filter),   zeros(m.vocab),  zeros(m.hidden),
              zeros(m.seq),    zeros(m.segments), zeros(m.classes)};
  std::vector<std::uint64_t> shared = zeros(m.own_kv_heads() * m.head_size());  // of keys and values
  const auto of = [&](network::Role role) -> std::vector<std::uint64_t>& {
    switch (role) {
      case network::Role::Filter:
        return loads.filter;
      case network::Role::Vocab:
        return loads.vocab;
      case network::Role::Head:
        return loads.head;
      case network::Role::KvHead:
        return shared;
      case network::Role::Position:
        return loads.position;
      case network::Role::Segment:
        return loads.segment;
      case network::Role::Class:
        return loads.classes;
      case network::Role::Hidden:
        break;
    }
    return loads.hidden;
  };
  for (const TensorInfo& t : tensors) {
    if (t.roles.size() != 2) continue;
    std::vector<std::uint64_t>&rows = of(t.roles[0]), &columns = of(t.roles[1]);
    const auto width = static_cast<std::uint64_t>(t.dims[1]);
    auto bit = kept.begin() + static_cast<std::ptrdiff_t>(t.offset);
    for (std::uint64_t row = 0; row < t.size / width; ++row) {
      std::uint64_t of_row = 0;
      for (std::uint64_t first = 0; first < width; first += columns.size()) {  // q, k and v share the features of heads
        for (std::uint64_t& column : std::span(columns).first(std::min<std::uint64_t>(columns.size(), width - first))) {
          const std::uint64_t one = *bit++ ? 1 : 0;
          of_row += one;
          column += one;
        }
      }
      rows[row % rows.size()] += of_row;
    }
  }
  const HeadCopies copies = m.kv_copies();
  for (std::size_t f = 0; f < loads.head.size(); ++f) loads.head[f] += shared[copies.parameter(f)];
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

}  // namespace weft::compiler
