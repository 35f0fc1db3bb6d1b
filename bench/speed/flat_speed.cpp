/// Helper of `weft-bench flat`: prints the tile-cycles per second of a flat wafer, and the cycles of the GEMM it ran.
#include <cstdio>

#include "Vweft_wafer.h"
#include "bench/speed/flat_gemm.hpp"
#include "verif/cosim/flat_wafer.hpp"

int main() {
  using namespace weft;
  const bench::DenseGemm gemm = bench::flat_gemm();
  cosim::FlatWafer<Vweft_wafer> wafer(gemm.shape);
  gemm.load(wafer);
  const bench::Work work = gemm.run(wafer);
  std::printf("%.0f %llu\n", work.tile_cycles() / work.seconds, static_cast<unsigned long long>(work.done.cycles));
}
