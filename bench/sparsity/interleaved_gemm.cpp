#include "bench/sparsity/interleaved_gemm.hpp"

#include "host/memoryx/pruning.hpp"
#include "sw/compiler/placement/loads.hpp"
#include "sw/compiler/placement/space.hpp"

namespace weft::bench {

SparseGemm interleaved_gemm(const machine::WaferShape& wafer, int inputs, int tokens, int outputs, double sparsity) {
  const auto all = static_cast<std::size_t>(wafer.rows) * static_cast<std::size_t>(inputs);
  const std::vector<bool> mask = memoryx::random_mask("dealt", all * static_cast<std::size_t>(outputs), sparsity, 1);
  std::vector<std::uint64_t> loads(all);
  for (std::size_t k = 0; k < mask.size(); ++k) loads[k % all] += mask[k];
  const compiler::Space space =
      compiler::Space::interleaved(compiler::heaviest_first(static_cast<int>(all), loads), wafer.rows);
  return {wafer, inputs, tokens, outputs, [&](int output, int row) {
            const std::vector<int>& features = space.on_row(row);
            std::vector<int> set;
            for (int slot = 0; slot < inputs; ++slot)
              if (mask[static_cast<std::size_t>(output) * all + static_cast<std::size_t>(features[slot])])
                set.push_back(slot);
            return set;
          }};
}

}  // namespace weft::bench
