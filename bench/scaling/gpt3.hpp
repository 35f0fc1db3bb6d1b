/// The sizes of GPT-3 on one wafer, as predicted by compile_only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/planning/swarm_model/work.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::bench {

struct Gpt3Size {
  std::string name;
  compiler::ModelShape model;
  int batch = 1;       ///< sequences of a step
  int row_groups = 1;  ///< 0: auto
};

/// The eight sizes in table 2.1 of Brown et al. 2020 (arXiv:2005.14165), in GPT-2's form: sequences of 2,048 tokens, a
/// vocabulary of 50,257, a filter of 4 x hidden, recomputed blocks. 24 heads of 128 (XL) do not give 2,048 features,
/// and 40 do not give 5,140 (13B): 16 heads and 5,120 features are used instead. Batches are the table's in sequences,
/// rounded to numbers with many divisors, and the form of attention is that of configs/params_gpt3_*_pile.yaml.
std::vector<Gpt3Size> gpt3_sizes();

/// A size, with the groups of rows, the micro-batches and the columns per sequence that `auto` chooses. Model and wafer
/// are those of one group, as in a plan.
struct Gpt3Line {
  std::string name;
  compiler::ModelShape model;
  machine::WaferShape wafer;
  std::uint64_t parameters = 0;
  std::string misfit;  ///< why it does not fit; empty: it fits
  /// Layers of the compiled plan: the model's; or 2 if the model does not fit with all of them, and the cycles are then
  /// extrapolated from one and two layers; or 0 if not even two layers fit.
  int layers = 0;
  double cycles = 0;              ///< cycles of a micro-batch; 0: not even two layers fit
  double sent = 0, returned = 0;  ///< messages, words
  std::string bound;
  planning::swarm_model::Work
      work;       ///< work of a micro-batch, with a cycle as the unit of time; empty if it does not fit
  int batch = 1;  ///< sequences of a step

  int sequences() const { return model.micro_batch * wafer.row_groups; }
  int micro_batches() const { return batch / sequences(); }
};

/// `wafers`: as train_input.auto_num_csx.
Gpt3Line gpt3_line(const Gpt3Size& size, const machine::WaferShape& mesh, int wafers = 1);

/// Clock of the Cerebras CS-2, in cycles per second.
double cs2_clock();
/// A wafer of the size of the CS-2's, which has 850,000 cores.
machine::WaferShape cs2_wafer();

/// Multiply-adds of a micro-batch that the model itself requires.
double multiply_adds(const Gpt3Line& line);

}  // namespace weft::bench
