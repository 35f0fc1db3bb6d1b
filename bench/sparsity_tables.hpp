/// What `weft-bench sparsity` prints and docs/sparsity.md shows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/sparsity.hpp"

namespace weft::bench {

/// Utilization by non-zeros, a line a point, in Markdown.
std::string gemm_table(const std::vector<GemmPoint>& points);

/// Of a micro-batch of gpt_tiny: dense, and at 90 % with features in order and by load.
struct MicroBatchLine {
  std::string what;
  std::uint64_t dense = 0, in_order = 0, by_load = 0;
};
/// Measures.
std::vector<MicroBatchLine> micro_batch_lines();
/// In Markdown.
std::string micro_batch_table(const std::vector<MicroBatchLine>& lines);

}  // namespace weft::bench
