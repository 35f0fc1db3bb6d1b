#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/benches.hpp"
#include "bench/flat_gemm.hpp"
#include "bench/print.hpp"
#include "verif/trace/filter.hpp"

namespace weft::bench {
namespace {

struct Looked {
  double speed = 0;  ///< tile-cycles a second
  unsigned long long cycles = 0;
  double bytes = 0;  ///< of the trace, a tile and cycle
};

/// Runs the program with the RTL for looking inside; it lies beside this one.
Looked run_look(const std::string& program, const char* what) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("'" + program + "' " + what).c_str(), "r"), pclose);
  Looked run;
  if (!pipe || std::fscanf(pipe.get(), "%lf %llu %lf", &run.speed, &run.cycles, &run.bytes) != 3)
    throw std::runtime_error(program + " failed");
  return run;
}

void words() {
  TraceNames names;
  constexpr int kValues = 200'000;
  std::size_t letters = 0;
  const double seconds = processor_seconds([&] {
    char value[16];
    for (int n = 0; n < kValues; ++n) {
      std::snprintf(value, sizeof value, "01%08X", static_cast<unsigned>(n) * 2654435761u);
      letters += words_of(WordsMode::Message, value, names, true).size();
    }
  });
  if (letters < kValues) throw std::runtime_error("no words");
  goal("values to words", kValues / seconds, "a second", 10'000);
}

}  // namespace

void look() {
  heading("look: one core simulates 8x8 tiles in the same GEMM, with the RTL for looking inside");
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string() + "-look";
  if (!std::filesystem::exists(program)) {
    std::printf("  not built. HINT: make bench, or cmake --build build --target weft-bench-look\n");
    return;
  }
  const DenseGemm gemm = flat_gemm();
  const auto wafer = make_rtl_wafer(gemm.shape);
  gemm.load(*wafer);
  std::vector<double> off, one;
  Looked traced;
  for (int run = 0; run < 5; ++run) {  // taking turns
    const Work work = gemm.run(*wafer);
    const double speed = work.tile_cycles() / work.seconds;
    off.push_back(speed / run_look(program, "off").speed);
    traced = run_look(program, "one");
    one.push_back(speed / traced.speed);
    if (traced.cycles != work.done.cycles) throw std::runtime_error("looking has changed the cycles");
  }
  limit("time with nobody looking / of weft itself", median(off), "times", 1.03);
  limit("time with one of 64 tiles traced", median(one), "times", 2);
  limit("size of that trace", traced.bytes, "bytes a tile and cycle", 60);
  words();
}

}  // namespace weft::bench
