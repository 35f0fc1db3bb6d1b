/// The program `weft-bench`. Exit codes: 0: all goals reached; 1: a goal missed, or a benchmark failed; 2: user error.
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <limits>
#include <vector>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "host/checkpoint/output_file.hpp"
#include "sw/base/allocator.hpp"
#include "sw/base/quoted_lines.hpp"
#include "sw/base/refusal.hpp"

namespace {

using namespace weft::bench;

struct Bench {
  const char* name;
  void (*run)();
  const char* what;
  bool by_name_alone = false;      ///< too long to run by default
  bool has_settings = false;       ///< takes arguments NAME=VALUE
  const char* old_name = nullptr;  ///< name in earlier versions, which still works
};

constexpr Bench kBenches[] = {
    {"tiles", tiles, "speed of the simulated RTL in tile-cycles a second"},
    {"flat", flat, "the replicated wafer against one flat Verilated wafer"},
    {"model", model, "speed of the functional model, alone and against the RTL"},
    {"cpu", cpu, "a training step on the functional model against a plain C++ trainer"},
    {"threads", threads, "a wafer of RTL, and one of the model, that several threads share"},
    {"wafer", wafer, "beats per entry of GEMMs with short vectors on 4 to 32 rows; runs only if named", true},
    {"slice", slice, "a layer of GPT-3 XL on 16x16 and 32x32 tiles; runs only if named", true},
    {"attention_spread", attention_spread, "cycles of attention over 8 rows and 8 columns, by form"},
    {"gemm", gemm, "cycles of a dense GEMM by weights a row, and of a tenth of its weights"},
    {"figure3", figure3, "beats a cycle of AXPY, DOT, GEMV and GEMM on vectors in memory"},
    {"programs", programs_speed, "the examples on 8 x 8 tiles, next to the limit that binds each"},
    {"figure5", figure5, "speed-up over sparsity by a layer's width"},
    {"sparsity", sparsity, "a GEMM by non-zero weights, and a micro-batch at 90 % sparsity"},
    {"layer", layer, "cycles of a transformer block's ops, dense over 90 % sparse"},
    {"placement", placement, "how evenly the compiler distributes 600 million weights over 850 rows"},
    {"step", step, "cycles and utilization of a training step"},
    {"micro_batch", micro_batch, "cycles and utilization of a micro-batch of gpt_tiny and of gpt_small"},
    {"batch", batch, "cycles and utilization of a micro-batch of one sequence upward, and what bounds it"},
    {"estimate", estimate, "cycles as compile_only expects them, over the RTL's, on 30 random shapes"},
    {"stream", stream, "messages made of parameters, G a second and thread"},
    {"scaling", scaling, "cycles of a step on 1, 2 and 4 wafers"},
    {"weak_scaling", weak_scaling, "utilization of a model that grows with the mesh, 4x4 to 16x16 tiles", false, false,
     "weak"},
    {"weak_scaling32", weak_scaling32, "weak_scaling on 32x32 tiles; runs only if named", true, false, "weak32"},
    {"ops", ops, "where the cycles of a micro-batch go, op by op"},
    {"board", board, "tokens a second on an FPGA board, and what bounds them"},
    {"memory", memory, "bytes per parameter that a run needs in addition to its plan"},
    {"overlap", overlap, "a step whose stream, wafer and update take equal times; and two steps of a run"},
    {"flash", flash, "the flash tier over a plain loop of io_uring on the same disk"},
    {"swarm", swarm, "a swarm's frames and sums between two processes over plain Asio"},
    {"swarm_scaling", swarm_scaling, "a step on 1 to 16 wafer processes, as a share of linear"},
    {"swarm_model", swarm_model, "steps of swarms, for a model of them; runs only if named", true},
    {"swarm_loss", swarm_loss, "delay of a step when a wafer's process is killed or stopped"},
    {"swarm_slow", swarm_slow, "rate of a swarm with a slow wafer, link or node; runs only if named", true},
    {"inspect", inspect, "cost of inspecting tiles, and the size of a trace", false, false, "look"},
    {"mask_updates", mask_updates, "eval loss with dynamic and static sparsity; runs only if named", true, true},
    {"mask_update_costs", mask_update_costs, "processor time of a mask update; runs only if named", true},
    {"predictions", predictions, "sizes of GPT-3 on a large wafer, and large swarms; runs only if named", true, true},
};

void print_help() {
  std::cout << "weft-bench [--json] [--results FOLDER] [--seed N] [benchmark...] [NAME=VALUE...]\n\n"
               "Runs the named benchmarks; by default all that take less than minutes.\n\n"
               "  --json             print an object per line\n"
               "  --results FOLDER   also write the objects to FOLDER/BENCHMARK.jsonl\n"
               "  --seed N           random seed of the shapes of estimate; default: 1\n"
               "  NAME=VALUE         predictions: another drawn system, as in bandwidth=12.5e9 fanout=8\n"
               "                     mask_updates: one algorithm, as in algorithm=rigl update_freq=200\n\n";
  for (const Bench& bench : kBenches)
    std::cout << "  " << bench.name << std::string(19 - std::strlen(bench.name), ' ') << bench.what << '\n';
}

const Bench* find(const char* name) {
  for (const Bench& bench : kBenches)
    if (std::strcmp(name, bench.name) == 0 || (bench.old_name != nullptr && std::strcmp(name, bench.old_name) == 0))
      return &bench;
  return nullptr;
}

/// Throws Refusal if the file cannot be written.
void write_results(const std::string& folder, const Bench& bench) {
  weft::checkpoint::OutputFile out(folder + "/" + bench.name + ".jsonl");
  out.stream() << results();
  out.commit();
}

/// Throws Refusal if a file of results cannot be written, before hours of measuring.
void check_results(const std::string& folder, const std::vector<const Bench*>& benches) {
  for (const Bench* bench : benches) weft::checkpoint::OutputFile file(folder + "/" + bench->name + ".jsonl");
}

/// Prints a user error and returns its exit code.
int user_error(const std::string& message) {
  std::cerr << "weft-bench: " << message << '\n';
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  weft::keep_what_is_freed();  // same allocator settings as the measured programs
  std::vector<const Bench*> wanted;
  std::string results_folder;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--help") == 0 || std::strcmp(argv[k], "-h") == 0) {
      print_help();
      return 0;
    }
    if (std::strcmp(argv[k], "--json") == 0) {
      json(true);
      continue;
    }
    if (std::strcmp(argv[k], "--results") == 0) {
      if (++k == argc) return user_error("--results needs a folder. HINT: weft-bench --results bench/results figure5");
      results_folder = argv[k];
      continue;
    }
    if (std::strcmp(argv[k], "--seed") == 0) {
      char* end = nullptr;
      const unsigned long value = k + 1 < argc ? std::strtoul(argv[k + 1], &end, 10) : 0;
      if (end == nullptr || end == argv[k + 1] || *end != 0 || argv[k + 1][0] == '-' ||
          value > std::numeric_limits<unsigned>::max())
        return user_error("--seed needs a number of 32 bits. HINT: weft-bench --seed 2 estimate");
      seed(static_cast<unsigned>(value));
      ++k;
      continue;
    }
    if (std::strchr(argv[k], '=') != nullptr) {
      settings().push_back(argv[k]);
      continue;
    }
    wanted.push_back(find(argv[k]));
    if (wanted.back() == nullptr)
      return user_error(std::string("there is no benchmark ") + argv[k] + ". HINT: weft-bench --help lists them");
  }
  if (!settings().empty() && (wanted.size() != 1 || !wanted[0]->has_settings || !results_folder.empty()))
    return user_error(settings()[0] +
                      " is a setting of predictions or mask_updates alone, and changes no results file. "
                      "HINT: weft-bench predictions bandwidth=12.5e9");
  if (wanted.empty())
    for (const Bench& bench : kBenches)
      if (!bench.by_name_alone) wanted.push_back(&bench);
  try {
    if (!results_folder.empty()) check_results(results_folder, wanted);
  } catch (const weft::Refusal& refusal) {
    return user_error(refusal.what());
  }
  try {
    for (const Bench* bench : wanted) {
      begin(bench->name);
      bench->run();
      if (!results_folder.empty()) write_results(results_folder, *bench);
    }
    return verdict() ? 0 : 1;
  } catch (const weft::Refusal& refusal) {
    if (!settings().empty()) return user_error(refusal.what());
    std::cerr << "weft-bench: " << refusal.what() << '\n';
    return 1;
  } catch (const std::exception& e) {
    std::cerr << "weft-bench: " << weft::quoted_lines(e.what()) << '\n';
    return 1;
  }
}
