#include <fmt/format.h>

#include <string>

#include "bench/benches.hpp"
#include "bench/dense_gemm.hpp"
#include "bench/print.hpp"

namespace weft::bench {
namespace {

constexpr int kOutputs = 64;

Work run(int psum_cycles, int per_row, int tokens) {
  const DenseGemm gemm({.rows = 4, .cols = 4, .sram_kib = 48, .psum_cycles = psum_cycles}, per_row, tokens, kOutputs);
  const auto wafer = make_rtl_wafer(gemm.shape);
  gemm.load(*wafer);
  return gemm.run(*wafer);
}

void table(int psum_cycles) {
  text(fmt::format("\n  {:>5} {:>9} | {:>9} {:>8} {:>9} | {:>9} {:>8} {:>9}\n", "n",
                   fmt::format("n/(n+{})", psum_cycles), "T=32: FPU", "of ideal", "cycles/o", "T=64: FPU", "of ideal",
                   "cycles/o"));
  for (const int n : {4, 8, 16, 32, 64, 128, 256}) {
    const double ideal = n / (n + static_cast<double>(psum_cycles));
    text(fmt::format("  {:>5} {:>9.3f}", n, ideal));
    for (const int tokens : {32, 64}) {
      const Work work = run(psum_cycles, n, tokens);
      const double used = work.fpu_utilization();
      const double cycles = static_cast<double>(work.done.cycles) / kOutputs;
      text(fmt::format(" | {:>9.3f} {:>8.3f} {:>9.1f}", used, used / ideal, cycles));
      const std::string where = fmt::format("n {}, {} tokens a column, {} cycles", n, tokens, psum_cycles);
      point(where, used, "FPU utilization");
      point(where + ", an output", cycles, "cycles");
    }
    text("\n");
  }
}

}  // namespace

void gemm() {
  heading(
      "gemm: the RTL's FPU utilization with n weights a row and output; an entry of a partial sum costs four cycles, "
      "or two");
  for (const int psum_cycles : {4, 2}) table(psum_cycles);
  for (const int tokens : {32, 64})
    goal("dense GEMM 4x4, 64 weights a row, " + std::to_string(tokens) + " tokens a column, 4 cycles",
         run(4, 64, tokens).fpu_utilization(), "FPU utilization", 0.9);
}

}  // namespace weft::bench
