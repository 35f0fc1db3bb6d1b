/// Measures swarms of replayed wafers: some to fit a model, the others to check it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "bench/swarm/swarm_measured.hpp"

namespace weft::bench {
namespace {

constexpr int kModelSteps = 3, kModelTries = 4;
constexpr double kQuiet = 0.05;  // processors that other programs may use

std::vector<SwarmRun> runs_to_fit() {
  return {{.wafers = 1},
          {.wafers = 1, .train = false},
          {.wafers = 2, .train = false},
          {.wafers = 4},
          {.wafers = 4, .train = false},
          {.wafers = 8},
          {.wafers = 2, .layers = 4}};
}

/// Other numbers of wafers and micro-batches, other times, another size; with and without processors as the bottleneck.
std::vector<SwarmRun> runs_to_check() {
  return {{.wafers = 2},
          {.wafers = 3},
          {.wafers = 6},
          {.wafers = 12},
          {.wafers = 16},
          {.wafers = 24},
          {.wafers = 10, .micro_batch = 0.06},
          {.wafers = 16, .train = false},
          {.wafers = 5, .micro_batches = 23},
          {.wafers = 7, .micro_batches = 96, .micro_batch = 0.05, .layers = 3},
          {.wafers = 8, .micro_batch = 0.4},
          {.wafers = 16, .micro_batch = 1},
          {.wafers = 4, .micro_batch = 0.03},
          {.wafers = 3, .micro_batch = 0.2, .layers = 20},
          {.wafers = 8, .layers = 6}};
}

/// Measures each run several times and keeps the try with the least other load on the machine: rows of `table`.
void measure_runs(const char* table, const std::vector<SwarmRun>& runs) {
  for (const SwarmRun& run : runs) {
    MeasuredRun best{.run = run, .times = run_swarm(run, kModelSteps)};
    for (int k = 1; k < kModelTries && best.times.others > kQuiet; ++k) {
      const SwarmTimes again = run_swarm(run, kModelSteps);
      if (again.others < best.times.others) best.times = again;
    }
    fact(fmt::format("{} x {} ms on {}, {} layers, {}", run.micro_batches, 1e3 * run.micro_batch, run.wafers,
                     run.layers, run.train ? "training" : "forward"),
         best.times.step, "s");
    fact("  processor time", best.times.processor(), "s");
    fact("  processors busy with something else", best.times.others, "");
    row(table, columns_of(best));
  }
}

}  // namespace

void swarm_model() {
  heading("swarm_model: steps of replayed wafers in processes of their own, for a model of the swarm");
  count(kCores, std::thread::hardware_concurrency(), "of the machine");
  measure_runs("fit", runs_to_fit());
  measure_runs("check", runs_to_check());
}

}  // namespace weft::bench
