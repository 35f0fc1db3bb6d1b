#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "bench/benches.hpp"
#include "bench/common/dense_gemm.hpp"
#include "bench/print.hpp"
#include "bench/sparsity/interleaved_gemm.hpp"

namespace weft::bench {
namespace {

constexpr int kGemmOutputs = 256;

Work run(const SparseGemm& gemm) {
  const auto wafer = make_rtl_wafer(gemm.shape);
  gemm.load(*wafer);
  return gemm.run(*wafer);
}

/// Results for one number of tokens per column.
struct Share {
  double at_64 = 0;           ///< FPU utilization with 64 weights per row
  double least_of_ideal = 1;  ///< minimum share of n/(n + psum_cycles), from n = 8 on
};

std::map<int, Share> table(int psum_cycles) {
  std::map<int, Share> shares{{32, {}}, {64, {}}};
  text(fmt::format("\n  {:>5} {:>9} | {:>9} {:>8} {:>9} | {:>9} {:>8} {:>9}\n", "n",
                   fmt::format("n/(n+{})", psum_cycles), "T=32: FPU", "of ideal", "cycles/o", "T=64: FPU", "of ideal",
                   "cycles/o"));
  for (const int n : {4, 8, 16, 32, 64, 128, 256}) {
    const double ideal = n / (n + static_cast<double>(psum_cycles));
    text(fmt::format("  {:>5} {:>9.3f}", n, ideal));
    for (auto& [tokens, share] : shares) {
      const Work work =
          run(DenseGemm({.rows = 4, .cols = 4, .sram_kib = 48, .psum_cycles = psum_cycles}, n, tokens, kGemmOutputs));
      const double used = work.fpu_utilization();
      const double cycles = static_cast<double>(work.done.cycles) / kGemmOutputs;
      text(fmt::format(" | {:>9.3f} {:>8.3f} {:>9.1f}", used, used / ideal, cycles));
      const std::string where = fmt::format("n {}, {} tokens a column, {} cycles", n, tokens, psum_cycles);
      point(where, used, "FPU utilization");
      point(where + ", an output", cycles, "cycles");
      if (n >= 8) share.least_of_ideal = std::min(share.least_of_ideal, used / ideal);
      if (n == 64) share.at_64 = used;
    }
    text("\n");
  }
  return shares;
}

/// Speed-up of 10 % non-zero weights over dense, in cycles. Every row has a valve: rows that share one wait for the
/// weights of the row that has more for this output.
double speed_up(int inputs, int tokens) {
  const machine::WaferShape wafer{.rows = 4, .cols = 1, .sram_kib = 128, .valves = 4};
  const Work dense = run(interleaved_gemm(wafer, inputs, tokens, kGemmOutputs, 0)),
             sparse = run(interleaved_gemm(wafer, inputs, tokens, kGemmOutputs, 0.9));
  const std::string what = fmt::format("{} inputs a row, {} tokens a column", inputs, tokens);
  fact(what + ", dense", dense.fpu_utilization(), "FPU utilization");
  fact(what + ", 10 % of them", sparse.fpu_utilization(), "FPU utilization");
  return static_cast<double>(dense.done.cycles) / static_cast<double>(sparse.done.cycles);
}

}  // namespace

void gemm() {
  heading(fmt::format(
      "gemm: the RTL's FPU utilization with n weights a row and output, {} outputs on 4x4 tiles; an entry of a partial "
      "sum costs four cycles, or two",
      kGemmOutputs));
  const auto four = table(4), two = table(2);
  for (const auto& [tokens, share] : four)
    goal(fmt::format("dense GEMM 4x4, 64 weights a row, {} tokens a column, 4 cycles", tokens), share.at_64,
         "FPU utilization", 0.9);
  goal("the least from n = 8, 64 tokens a column, 2 cycles", two.at(64).least_of_ideal, "of n/(n+2)", 0.97);
  fact("the least from n = 8, 32 tokens a column, 2 cycles", two.at(32).least_of_ideal, "of n/(n+2)");

  heading("gemm: a random tenth of the weights, dense over sparse; 4x1 tiles of 128 KiB, a valve a row");
  // 128 KiB hold 15 tokens of 4,096 inputs, too few for the weights never to wait for the previous weight's sum.
  for (const auto& [inputs, tokens] : {std::pair{4096, 12}, {2048, 28}})
    goal(fmt::format("{} inputs a row at 10 %, {} tokens a column", inputs, tokens), speed_up(inputs, tokens), "times",
         9.7);
}

}  // namespace weft::bench
