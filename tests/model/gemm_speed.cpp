/// Prints how fast the functional model multiplies: `gemm_speed [cols] [tokens] [density]`.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "tests/model/gemm.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  const int cols = argc > 1 ? std::atoi(argv[1]) : 4;
  const int tokens = argc > 2 ? std::atoi(argv[2]) : 32;
  const double density = argc > 3 ? std::atof(argv[3]) : 1;
  const WaferShape shape{.rows = 4, .cols = cols};
  for (const int inputs : {16, 64, 256}) {
    const Gemm gemm(shape, tokens, inputs, 960, density, 1, false);
    Rig rig(shape);
    double best = 1e9;
    for (int run = 0; run < 40; ++run) {
      gemm.load(rig);
      rig.feed();
      const auto before = rig.wafer->counters().fma_lanes;
      const std::clock_t start = std::clock();  // of this process: other load does not count
      rig.wafer->feed(gemm.stream);
      rig.wafer->settle();
      const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      best = std::min(best, seconds / static_cast<double>(rig.wafer->counters().fma_lanes - before));
    }
    const double weight = best * tokens * cols;
    std::printf("%d inputs a row, %d columns, %d tokens each: %.1f G multiply-adds/s, %.1f ns a weight\n", inputs, cols,
                tokens, 1e-9 / best, weight * 1e9);
  }
}
