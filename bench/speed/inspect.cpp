#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/benches.hpp"
#include "bench/common/work.hpp"
#include "bench/print.hpp"
#include "verif/trace/filter.hpp"

namespace weft::bench {
namespace {

struct InspectRun {
  double speed = 0;  ///< tile-cycles per second
  unsigned long long cycles = 0;
  double bytes = 0;  ///< bytes of the trace per tile and cycle
};

/// Runs a program built from bench/speed/inspect_speed.cpp; these programs are next to this one.
InspectRun run_simulator(const char* which, const char* what) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string() + "-" + which;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("'" + program + "' " + what).c_str(), "r"), pclose);
  InspectRun run;
  if (!pipe || std::fscanf(pipe.get(), "%lf %llu %lf", &run.speed, &run.cycles, &run.bytes) != 3)
    throw std::runtime_error(program + " failed. HINT: make bench builds it");
  return run;
}

void words() {
  trace::TraceNames names;
  constexpr int kValues = 200'000;
  std::size_t letters = 0;
  const double seconds = processor_seconds([&] {
    char value[16];
    for (int n = 0; n < kValues; ++n) {
      std::snprintf(value, sizeof value, "01%08X", static_cast<unsigned>(n) * 2654435761u);
      letters += trace::words_of(trace::WordsMode::Message, value, names, true).size();
    }
  });
  if (letters < kValues) throw std::runtime_error("no words");
  goal("values to words", kValues / seconds, "a second", 10'000);
}

}  // namespace

void inspect() {
  heading("inspect: one core simulates 8x8 tiles in the same GEMM, without and with a trace");
  std::vector<double> off, one, counts;
  InspectRun traced;
  for (int run = 0; run < 7; ++run) {  // alternating
    const InspectRun no_trace = run_simulator("sim_no_trace", "off"), plain = run_simulator("sim", "off");
    traced = run_simulator("sim", "one");
    off.push_back(no_trace.speed / plain.speed);
    one.push_back(no_trace.speed / traced.speed);
    counts.push_back(no_trace.speed / run_simulator("sim_inspect", "off").speed);
    if (traced.cycles != no_trace.cycles) throw std::runtime_error("tracing has changed the cycles");
  }
  limit("time without a trace / of a simulator that cannot trace", median(off), "times", 1.03);
  limit("time with one of 64 tiles traced", median(one), "times", 2);
  fact("time of an RTL that counts its stalls", median(counts), "times");
  limit("size of that trace", traced.bytes, "bytes a tile and cycle", 60);
  words();
}

}  // namespace weft::bench
