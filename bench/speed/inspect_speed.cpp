/// The programs `weft-bench-sim*`: the GEMM of `weft-bench inspect` on one kind of RTL. Prints tile-cycles per second,
/// cycles, and trace bytes per cycle for a trace of one tile ("one"; "off": no trace).
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "bench/speed/flat_gemm.hpp"
#include "verif/sim/clocked_wafer.hpp"
#include "verif/trace/trace.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  using namespace weft::bench;
  const bool traces = argc > 1 && std::strcmp(argv[1], "one") == 0;
  const DenseGemm gemm = flat_gemm();
  const auto wafer = sim::make_clocked_wafer(gemm.shape);
  gemm.load(*wafer);
  const std::vector<sim::TilePlace> tiles = {{3, 3}};
  const auto file =
      std::filesystem::temp_directory_path() / ("weft-bench-inspect." + std::to_string(::getpid()) + ".fst");
  std::unique_ptr<trace::Trace> trace;
  if (traces) {
    trace = std::make_unique<trace::Trace>(
        trace::Trace::Options{.file = file, .tiles = tiles, .origin = wafer->cycle_number()}, gemm.shape, nullptr);
    wafer->watch(trace.get(), tiles);
  }
  const Work work = gemm.run(*wafer);
  double bytes = 0;
  if (traces) {
    wafer->watch(nullptr);
    trace->close();
    bytes = static_cast<double>(std::filesystem::file_size(file)) / static_cast<double>(trace->cycles());
    for (const auto& made : {file, trace->view(), trace->names()}) std::filesystem::remove(made);
  }
  std::printf("%g %llu %g\n", work.tile_cycles() / work.seconds, static_cast<unsigned long long>(work.done.cycles),
              bytes);
}
