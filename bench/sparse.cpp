#include <fmt/format.h>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "bench/sparsity_tables.hpp"

namespace weft::bench {

void sparsity() {
  heading(fmt::format("sparsity: the RTL's FPU utilization with n of {} inputs non-zero, for a row and an output",
                      kInputs));
  const std::vector<GemmPoint> points = gemm_points();
  text(gemm_table(points));
  for (const GemmPoint& p : points) {
    point(fmt::format("n {} for every row", p.n), p.even, "FPU utilization");
    point(fmt::format("n {} on average", p.n), p.scattered, "FPU utilization");
    point(fmt::format("n {} on average, a valve a row", p.n), p.of_valves, "FPU utilization");
  }
  heading(
      "sparsity: a micro-batch of gpt_tiny with and without masks on the blocks' matrices, with a rest after each op");
  const std::vector<MicroBatchLine> lines = micro_batch_lines();
  text(micro_batch_table(lines));
  for (const MicroBatchLine& l : lines) {
    point(l.what + ", dense", static_cast<double>(l.dense), "");
    point(l.what + ", 90 %, in order", static_cast<double>(l.in_order), "");
    point(l.what + ", 90 %, by load", static_cast<double>(l.by_load), "");
  }
}

}  // namespace weft::bench
