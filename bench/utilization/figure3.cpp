#include <fmt/format.h>

#include <string>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "bench/utilization/vectors.hpp"

namespace weft::bench {
namespace {

constexpr double kBeatsGoal = 0.95;  // share of one beat per cycle

/// Beats per cycle after the first vector: both runs contain the start-up and drain time, which cancels.
double rate(const VectorJob& job) {
  const auto run = [&](int vectors) {
    const auto wafer = make_rtl_wafer({.rows = 1, .cols = 1, .sram_kib = 48});
    VectorTile tile(*wafer, job);
    const Work work = tile.run(vectors);
    tile.check(vectors);
    return work.done;
  };
  const WaferCounters one = run(1), all = run(job.vectors);
  return static_cast<double>(all.beats - one.beats) / static_cast<double>(all.cycles - one.cycles);
}

}  // namespace

void figure3() {
  heading("figure3: beats a cycle of linear algebra on 16 vectors in a tile's memory, without begin and end");
  struct Line {
    const char* name;
    Operation operation;
    int elements;
  };
  for (const Line& line :
       {Line{"AXPY, 1,024 elements", Operation::Axpy, 1024}, Line{"DOT, 1,024 elements", Operation::Dot, 1024},
        Line{"GEMV, 1,024 x 16", Operation::Gemv, 1024}, Line{"GEMM, 256 x 16 x 4", Operation::Gemm, 256}}) {
    const std::string name = line.name;
    VectorJob job{.operation = line.operation, .elements = line.elements};
    goal(name + ", contiguous", rate(job), "beats a cycle", kBeatsGoal);
    job.order = Order::Listed;
    goal(name + ", at random indices", rate(job), "beats a cycle", kBeatsGoal);
    if (line.operation == Operation::Gemv) {
      job.order = Order::Streamed;
      goal(name + ", weights and random indices streamed", rate(job), "beats a cycle", kBeatsGoal);
    }
    job.order = Order::Contiguous, job.vectors = 8, job.halves = false;
    fact(name + ", all in one half of memory", rate(job), "beats a cycle");
  }
}

}  // namespace weft::bench
