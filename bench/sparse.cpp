#include <fmt/format.h>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "bench/sparsity_tables.hpp"

namespace weft::bench {

void sparsity() {
  heading(fmt::format("sparsity: the RTL's FPU utilization with n of {} inputs non-zero, for a row and an output",
                      kInputs));
  const std::vector<GemmPoint> points = gemm_points();
  fmt::print("{}", gemm_table(points));
  heading(
      "sparsity: a micro-batch of gpt_tiny with and without masks on the blocks' matrices, with a rest after each op");
  fmt::print("{}", micro_batch_table());
}

}  // namespace weft::bench
