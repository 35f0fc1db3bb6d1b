/// What `weft-bench sparsity` prints and docs/sparsity.md shows.
#pragma once

#include <string>
#include <vector>

#include "bench/sparsity.hpp"

namespace weft::bench {

/// Utilization by non-zeros, a line a point, in Markdown.
std::string gemm_table(const std::vector<GemmPoint>& points);

/// A micro-batch of gpt_tiny: dense, and at 90 % with features in order and by load, in Markdown. Measures.
std::string micro_batch_table();

}  // namespace weft::bench
