#include <string>

#include "bench/benches.hpp"
#include "bench/common/dense_gemm.hpp"
#include "bench/print.hpp"

namespace weft::bench {

void tiles() {
  heading("tiles: one core simulates the replicated RTL, every tile busy with a dense GEMM");
  for (const int side : {4, 8}) {
    const DenseGemm gemm({.rows = side, .cols = side, .valves = side / 4}, 64, 32, 16 * side);
    const auto wafer = make_rtl_wafer(gemm.shape);
    gemm.load(*wafer);
    std::vector<double> speeds;
    double busy = 0;
    for (int run = 0; run < 5; ++run) {
      const Work work = gemm.run(*wafer);
      speeds.push_back(1e-6 * work.tile_cycles() / work.seconds);
      busy = work.beat_utilization();
    }
    const std::string name = std::to_string(side) + "x" + std::to_string(side);
    goal("replicated RTL wafer " + name, median(speeds), "M tile-cycles/s", 5);
    fact("  cycles with a beat", busy, "of all");
  }
}

}  // namespace weft::bench
