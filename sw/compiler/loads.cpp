#include "sw/compiler/loads.hpp"

#include <algorithm>
#include <numeric>

namespace weft {

Loads count_loads(const ModelShape& m, const std::vector<TensorInfo>& tensors, const std::vector<bool>& kept) {
  if (kept.empty()) return {};
  const auto zeros = [](int features) { return std::vector<std::uint64_t>(static_cast<std::size_t>(features)); };
  Loads loads{zeros(m.hidden), zeros(m.filter), zeros(m.vocab), zeros(m.hidden), zeros(m.seq)};
  const auto ends_with = [](const TensorInfo& t, std::string_view end) { return t.name.ends_with(end); };
  for (const TensorInfo& t : tensors) {
    if (t.dims.size() != 2) continue;
    std::vector<std::uint64_t>*rows = &loads.hidden, *columns = &loads.hidden;
    if (ends_with(t, "wte.weight") || ends_with(t, "lm_head.weight")) rows = &loads.vocab;
    if (ends_with(t, "wpe.weight")) rows = &loads.position;
    if (ends_with(t, "attn.c_attn.weight")) columns = &loads.head;
    if (ends_with(t, "attn.c_proj.weight")) rows = &loads.head;
    if (ends_with(t, "mlp.c_fc.weight")) columns = &loads.filter;
    if (ends_with(t, "mlp.c_proj.weight")) rows = &loads.filter;
    const auto width = static_cast<std::uint64_t>(t.dims[1]);
    for (std::uint64_t k = 0; k < t.size; ++k) {
      if (!kept[t.offset + k]) continue;
      ++(*rows)[k / width];
      ++(*columns)[k % width % columns->size()];  // q, k and v share the features of heads
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
