#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/benches.hpp"
#include "bench/common/gpt.hpp"
#include "bench/print.hpp"
#include "bench/sparsity/sparsity.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::bench {
namespace {

void gemm_table() {
  for (const GemmPoint& p : gemm_points())
    row("gemm",
        {{"n", p.n}, {"ideal", p.ideal}, {"even", p.even}, {"scattered", p.scattered}, {"valve_a_row", p.of_valves}});
}

/// A micro-batch of gpt_tiny: dense, and at 90 % with features in order and by load.
void micro_batch_table() {
  const config::Config config = tiny_config("rtl");
  const compiler::Plan dense = compiler::compile(config.model, config.wafer);
  const compiler::Mask mask = block_mask(dense, 0.9);
  const std::vector<int> tensors = block_matrices(dense);
  const MicroBatchCounts counts[] = {
      count_micro_batch(dense, tensors),
      count_micro_batch(compiler::compile(config.model, config.wafer, mask, compiler::Placement::InOrder), tensors),
      count_micro_batch(compiler::compile(config.model, config.wafer, mask), tensors)};
  const auto line = [&](const char* what, auto&& value) {
    row("micro-batch",
        {{"what", what}, {"dense", value(counts[0])}, {"in_order", value(counts[1])}, {"by_load", value(counts[2])}});
  };
  line("weight messages, sparse GEMMs", [](const MicroBatchCounts& c) { return c.gemms.messages; });
  line("AXPYs of these", [](const MicroBatchCounts& c) { return c.gemms.axpys; });
  line("gradient words of their weights", [](const MicroBatchCounts& c) { return c.gradient_words; });
  line("cycles of these GEMMs", [](const MicroBatchCounts& c) { return c.gemms.cycles; });
  line("cycles of the micro-batch", [](const MicroBatchCounts& c) { return c.all.cycles; });
  line("messages at the edge", [](const MicroBatchCounts& c) { return c.all.edge_messages; });
}

}  // namespace

void sparsity() {
  heading(fmt::format("sparsity: the RTL's FPU utilization with n of {} inputs non-zero, for a row and an output",
                      kInputs));
  gemm_table();
  heading(
      "sparsity: a micro-batch of gpt_tiny with and without masks on the blocks' matrices, with a rest after each op");
  micro_batch_table();
}

}  // namespace weft::bench
