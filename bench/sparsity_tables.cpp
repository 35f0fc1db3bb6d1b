#include "bench/sparsity_tables.hpp"

#include <fmt/format.h>

#include "bench/gpt.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::bench {

std::string gemm_table(const std::vector<GemmPoint>& points) {
  std::string table =
      "|   n | n/(n+2) | n for every row | of n/(n+2) | n on average | of n/(n+2) | a valve a row | of n/(n+2) |\n"
      "|----:|--------:|----------------:|-----------:|-------------:|-----------:|--------------:|-----------:|\n";
  for (const GemmPoint& p : points)
    table += fmt::format(
        "| {:>3} | {:>7.3f} | {:>15.3f} | {:>10.3f} | {:>12.3f} | {:>10.3f} | {:>13.3f} | {:>10.3f} |\n", p.n, p.ideal,
        p.even, p.even / p.ideal, p.scattered, p.scattered / p.ideal, p.of_valves, p.of_valves / p.ideal);
  return table;
}

std::vector<MicroBatchLine> micro_batch_lines() {
  const Config config = tiny_config("rtl");
  const Plan dense = compile(config.model, config.wafer);
  const Mask mask = block_mask(dense, 0.9);
  const std::vector<int> tensors = block_matrices(dense);
  const MicroBatchCounts counts[] = {
      count_micro_batch(dense, tensors),
      count_micro_batch(compile(config.model, config.wafer, mask, Placement::InOrder), tensors),
      count_micro_batch(compile(config.model, config.wafer, mask), tensors)};
  const auto line = [&](const char* what, auto&& value) {
    return MicroBatchLine{what, value(counts[0]), value(counts[1]), value(counts[2])};
  };
  return {line("weight messages, sparse GEMMs", [](const MicroBatchCounts& c) { return c.gemms.messages; }),
          line("AXPYs of these", [](const MicroBatchCounts& c) { return c.gemms.axpys; }),
          line("gradient words of their weights", [](const MicroBatchCounts& c) { return c.gradient_words; }),
          line("cycles of these GEMMs", [](const MicroBatchCounts& c) { return c.gemms.cycles; }),
          line("cycles of the micro-batch", [](const MicroBatchCounts& c) { return c.all.cycles; }),
          line("messages at the edge", [](const MicroBatchCounts& c) { return c.all.edge_messages; })};
}

std::string micro_batch_table(const std::vector<MicroBatchLine>& lines) {
  std::string table =
      "|                                 |   dense | 90 %, in order | 90 %, by load | by load / dense |\n"
      "|:--------------------------------|--------:|---------------:|--------------:|----------------:|\n";
  for (const MicroBatchLine& l : lines)
    table += fmt::format("| {:<31} | {:>7} | {:>14} | {:>13} | {:>15.3f} |\n", l.what, l.dense, l.in_order, l.by_load,
                         static_cast<double>(l.by_load) / static_cast<double>(l.dense));
  return table;
}

}  // namespace weft::bench
