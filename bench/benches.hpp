/// The benchmarks, a subcommand each. All of them print with bench/print.hpp.
#pragma once

#include <string>
#include <vector>

namespace weft::bench {

/// Random seed of benchmarks with random inputs: estimate's shapes. 1 by default.
void seed(unsigned number);
unsigned seed();

/// Arguments NAME=VALUE of the command line, for benchmarks that have settings: mask_updates and predictions.
inline std::vector<std::string>& settings() {
  static std::vector<std::string> all;
  return all;
}

void tiles();              ///< simulation speed of the replicated RTL
void flat();               ///< the replicated RTL against one flat Verilated wafer
void model();              ///< speed of the functional model, and against the RTL
void cpu();                ///< a step of the functional model against one of a plain trainer
void threads();            ///< wafers of RTL and of the model with several threads
void wafer();              ///< GEMMs with short vectors against max(n + 2, 4) beats an entry
void slice();              ///< a layer of GPT-3 XL with the mapping of 850 x 1000 tiles, on 16x16 and 32x32 tiles
void attention_spread();   ///< attention of a head over 8 rows and a sequence over 8 columns, in both forms
void gemm();               ///< cycles of a GEMM against n/(n+4) and n/(n+2), dense against a tenth
void figure3();            ///< AXPY, DOT, GEMV, GEMM on vectors in a tile's memory
void programs_speed();     ///< the examples on 8 x 8 tiles, next to the limit that binds each
void figure5();            ///< speed-up by sparsity and width
void sparsity();           ///< missing weights: a GEMM by non-zeros, a micro-batch at 90 %
void layer();              ///< a transformer block's ops, dense against 90 %
void placement();          ///< uneven masks on many rows
void step();               ///< cycles and utilization of a training step
void micro_batch();        ///< cycles and utilization of a micro-batch of gpt_tiny and gpt_small
void batch();              ///< cycles and utilization by sequences per micro-batch
void estimate();           ///< cycles predicted by compile_only, against the RTL
void stream();             ///< speed of generating messages from parameters
void scaling();            ///< cycles of a step on 1, 2, 4 wafers
void weak_scaling();       ///< a model that grows with the mesh, 4x4 to 16x16 tiles
void weak_scaling32();     ///< as weak_scaling, on 32x32 tiles
void ops();                ///< cycles of a micro-batch by op
void board();              ///< tokens per second on a board, from cycles and bytes
void memory();             ///< bytes per parameter in addition to the plan
void overlap();            ///< overlap of stream, wafer and update; the picture docs/explanation/figure2.svg
void flash();              ///< the flash tier against a plain loop of io_uring
void swarm();              ///< frames and sums between two processes, against plain Asio
void swarm_scaling();      ///< steps on 1 to 16 wafer processes that replay gpt_small
void swarm_model();        ///< swarm_scaling with other times and sizes, to fit and check a model
void swarm_loss();         ///< a wafer's process killed and stopped during a step
void swarm_slow();         ///< the rate of a swarm with one slow wafer, link or node
void inspect();            ///< cost of inspecting tiles
void mask_updates();       ///< eval loss of training runs with dynamic and static sparsity
void mask_update_costs();  ///< processor time of a mask update
void predictions();        ///< sizes of GPT-3 on a large wafer, and large swarms: docs/explanation/scaling.md

}  // namespace weft::bench
