/// Prints the functional model's speed, in lockstep and tile by tile: `gemm_speed [cols] [tokens] [density]`.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "tests/model/gemm.hpp"
#include "verif/model/model_wafer.hpp"

namespace weft::model {
namespace {

/// Processor seconds per multiply-add, independent of other load.
double seconds(const Gemm& gemm, bool in_lockstep, int runs) {
  Rig rig(gemm.shape);
  if (!in_lockstep) dynamic_cast<ModelWafer&>(*rig.wafer).leave_lockstep();
  double best = 1e9;
  for (int run = 0; run < runs; ++run) {
    gemm.load(rig);
    rig.feed();
    const auto before = rig.wafer->counters().fma_lanes;
    const std::clock_t start = std::clock();
    rig.wafer->feed(gemm.stream);
    rig.wafer->settle();
    const double time = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::min(best, time / static_cast<double>(rig.wafer->counters().fma_lanes - before));
  }
  return best;
}

}  // namespace
}  // namespace weft::model

int main(int argc, char** argv) {
  using namespace weft;
  const int cols = argc > 1 ? std::atoi(argv[1]) : 4;
  const int tokens = argc > 2 ? std::atoi(argv[2]) : 32;
  const double density = argc > 3 ? std::atof(argv[3]) : 1;
  const machine::WaferShape shape{.rows = 4, .cols = cols};
  for (const int inputs : {16, 64, 256}) {
    const model::Gemm gemm(shape, tokens, inputs, 960, density, 1, false);
    const double step = model::seconds(gemm, true, 40), tiles = model::seconds(gemm, false, 5),
                 weight = step * tokens * cols;
    std::printf(
        "%d inputs a row, %d columns, %d tokens each: %.1f G multiply-adds/s, %.1f ns a weight; tile by tile %.1f\n",
        inputs, cols, tokens, 1e-9 / step, weight * 1e9, 1e-9 / tiles);
  }
}
