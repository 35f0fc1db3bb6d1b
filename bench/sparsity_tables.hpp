/// Tables shared by `weft-bench sparsity` and docs/sparsity.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/sparsity.hpp"

namespace weft::bench {

/// Utilization by non-zeros, a line per point, in Markdown.
std::string gemm_table(const std::vector<GemmPoint>& points);

/// A quantity for a micro-batch of gpt_tiny: dense, and at 90 % with features in order and by load.
struct MicroBatchLine {
  std::string what;
  std::uint64_t dense = 0, in_order = 0, by_load = 0;
};
/// Measures all lines.
std::vector<MicroBatchLine> micro_batch_lines();
/// The table in Markdown.
std::string micro_batch_table(const std::vector<MicroBatchLine>& lines);

}  // namespace weft::bench
