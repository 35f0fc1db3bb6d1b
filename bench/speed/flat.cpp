#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "bench/speed/flat_gemm.hpp"

namespace weft::bench {
namespace {

struct FlatRun {
  double speed = 0;  ///< tile-cycles per second
  unsigned long long cycles = 0;
};

/// Runs the program with the flat wafer, which is next to this one.
FlatRun run_flat(const std::string& program) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("'" + program + "'").c_str(), "r"), pclose);
  FlatRun run;
  if (!pipe || std::fscanf(pipe.get(), "%lf %llu", &run.speed, &run.cycles) != 2)
    throw std::runtime_error(program + " failed");
  return run;
}

}  // namespace

void flat() {
  heading("flat: one core simulates 8x8 tiles in the same GEMM, replicated from one tile or Verilated as one");
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string() + "-flat";
  if (!std::filesystem::exists(program)) {
    std::printf("  not built. HINT: make bench, or cmake --build build --target weft-bench-flat (minutes)\n");
    return;
  }
  const DenseGemm gemm = flat_gemm();
  const auto wafer = make_rtl_wafer(gemm.shape);
  gemm.load(*wafer);
  std::vector<double> replicated, flat;
  for (int run = 0; run < 3; ++run) {  // alternating
    const Work work = gemm.run(*wafer);
    const FlatRun other = run_flat(program);
    if (run == 0 && work.done.cycles != other.cycles)
      throw std::runtime_error("the replicated wafer took " + std::to_string(work.done.cycles) +
                               " cycles, the flat one " + std::to_string(other.cycles) +
                               ": they should be the same machine");
    replicated.push_back(1e-6 * work.tile_cycles() / work.seconds);
    flat.push_back(1e-6 * other.speed);
  }
  fact("replicated", median(replicated), "M tile-cycles/s");
  fact("flat", median(flat), "M tile-cycles/s");
  goal("replicated / flat", median(replicated) / median(flat), "times", 1.3);
}

}  // namespace weft::bench
