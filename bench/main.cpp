/// The program `weft-bench`. Exit codes: 0: all goals reached; 1: a goal missed, or a benchmark failed; 2: user error.
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <limits>
#include <vector>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "sw/base/allocator.hpp"

namespace {

using namespace weft::bench;

struct Bench {
  const char* name;
  void (*run)();
  const char* what;
  bool by_name_alone = false;  ///< too long to run by default
};

constexpr Bench kBenches[] = {
    {"tiles", tiles, "speed of the simulated RTL in tile-cycles a second"},
    {"flat", flat, "the stamped wafer against one flat Verilated wafer"},
    {"model", model, "speed of the functional model, alone and against the RTL"},
    {"cpu", cpu, "a training step on the functional model against a plain C++ trainer"},
    {"threads", threads, "a wafer of RTL, and one of the model, that several threads share"},
    {"gemm", gemm, "cycles of a dense GEMM by weights a row, and of a tenth of its weights"},
    {"figure3", figure3, "beats a cycle of AXPY, DOT, GEMV and GEMM on vectors in memory"},
    {"figure5", figure5, "speed-up over sparsity by a layer's width, also drawn: docs/figure5.svg"},
    {"sparsity", sparsity, "a GEMM by non-zero weights, and a micro-batch at 90 % sparsity"},
    {"layer", layer, "cycles of a transformer block's ops, dense over 90 % sparse"},
    {"placement", placement, "how even the compiler makes 850 rows of 600 million weights"},
    {"step", step, "cycles and utilization of a training step"},
    {"micro_batch", micro_batch, "cycles and utilization of a micro-batch of gpt_tiny and of gpt_small"},
    {"batch", batch, "cycles and utilization of a micro-batch of one sequence upward, and what bounds it"},
    {"estimate", estimate, "cycles as compile_only expects them, over the RTL's, on 30 random shapes"},
    {"stream", stream, "messages made of parameters, G a second and thread"},
    {"scaling", scaling, "cycles of a step on 1, 2 and 4 wafers"},
    {"weak", weak, "utilization of a model that grows with the mesh, 4x4 to 16x16 tiles"},
    {"weak32", weak32, "the same on 32x32 tiles; only if it is named", true},
    {"ops", ops, "where the cycles of a micro-batch go, op by op"},
    {"board", board, "tokens a second on an FPGA board, and what bounds them"},
    {"memory", memory, "bytes a parameter that a run takes beside its plan"},
    {"overlap", overlap, "a step whose stream, wafer and update take equal times; one drawn: docs/figure2.svg"},
    {"flash", flash, "the flash tier over a plain loop of io_uring on the same disk"},
    {"swarm", swarm, "a swarm's frames and sums between two processes over plain Asio"},
    {"swarm_scaling", swarm_scaling, "a step on 1 to 16 wafer processes, as a share of linear"},
    {"swarm_model", swarm_model, "runs of swarms for a model of them: bench/swarm_measured.json", true},
    {"swarm_loss", swarm_loss, "how long a step stands still when a wafer's process is killed or stopped"},
    {"look", look, "what it costs to look at tiles, and the size of a trace"},
};

void print_help() {
  std::cout << "weft-bench [--json] [--seed N] [benchmark...]   runs the benchmarks named, or all of them\n\n"
               "  --json       an object a line\n"
               "  --seed N     of the shapes that estimate draws; 1\n\n";
  for (const Bench& bench : kBenches)
    std::cout << "  " << bench.name << std::string(15 - std::strlen(bench.name), ' ') << bench.what << '\n';
}

const Bench* find(const char* name) {
  for (const Bench& bench : kBenches)
    if (std::strcmp(name, bench.name) == 0) return &bench;
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  weft::keep_what_is_freed();  // same allocator settings as the measured programs
  std::vector<const Bench*> wanted;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--help") == 0 || std::strcmp(argv[k], "-h") == 0) {
      print_help();
      return 0;
    }
    if (std::strcmp(argv[k], "--json") == 0) {
      json(true);
      continue;
    }
    if (std::strcmp(argv[k], "--seed") == 0) {
      char* end = nullptr;
      const unsigned long value = k + 1 < argc ? std::strtoul(argv[k + 1], &end, 10) : 0;
      if (end == nullptr || end == argv[k + 1] || *end != 0 || argv[k + 1][0] == '-' ||
          value > std::numeric_limits<unsigned>::max()) {
        std::cerr << "weft-bench: --seed wants a number of 32 bits. HINT: weft-bench --seed 2 estimate\n";
        return 2;
      }
      seed(static_cast<unsigned>(value));
      ++k;
      continue;
    }
    wanted.push_back(find(argv[k]));
    if (wanted.back() == nullptr) {
      std::cerr << "weft-bench: there is no benchmark " << argv[k] << ". HINT: weft-bench --help lists them\n";
      return 2;
    }
  }
  if (wanted.empty())
    for (const Bench& bench : kBenches)
      if (!bench.by_name_alone) wanted.push_back(&bench);
  try {
    for (const Bench* bench : wanted) {
      begin(bench->name);
      bench->run();
    }
    return verdict() ? 0 : 1;
  } catch (const std::exception& e) {
    std::cerr << "weft-bench: " << e.what() << '\n';
    return 1;
  }
}
