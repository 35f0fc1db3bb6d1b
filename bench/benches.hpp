/// The benchmarks, a subcommand each. All print with bench/print.hpp.
#pragma once

namespace weft::bench {

/// Of what a benchmark draws: estimate's shapes. 1 unless it is set.
void seed(unsigned number);
unsigned seed();

void tiles();          ///< how fast the stamped RTL simulates
void flat();           ///< against one flat Verilated wafer
void model();          ///< how fast the functional model is, and against the RTL
void cpu();            ///< a step of the functional model beside one of a plain trainer
void threads();        ///< wafers of RTL and of the model that several threads share
void gemm();           ///< cycles of a GEMM against n/(n+4) and n/(n+2), dense against a tenth
void figure3();        ///< AXPY, DOT, GEMV, GEMM on vectors in a tile's memory
void figure5();        ///< speed-up over sparsity, by width; writes docs/figure5.svg
void sparsity();       ///< weights that are missing: a GEMM by non-zeros, a micro-batch at 90 %
void layer();          ///< a transformer block's ops, dense against 90 %
void placement();      ///< uneven masks on many rows
void step();           ///< cycles and utilization of a training step
void micro_batch();    ///< cycles and utilization of a micro-batch of gpt_tiny and gpt_small
void batch();          ///< cycles and utilization by sequences of a micro-batch
void estimate();       ///< what compile_only expects, against the RTL
void stream();         ///< how fast messages are made of parameters
void scaling();        ///< cycles of a step on 1, 2, 4 wafers
void weak();           ///< a model that grows with the mesh, 4x4 to 16x16 tiles
void weak32();         ///< the same on 32x32
void ops();            ///< where a micro-batch's cycles go
void board();          ///< tokens a second on a board, from cycles and bytes
void memory();         ///< bytes a parameter beside the plan
void overlap();        ///< stream, wafer and update at once; writes docs/figure2.svg
void flash();          ///< the flash tier against a plain loop of io_uring
void swarm();          ///< frames and sums between two processes, against plain Asio
void swarm_scaling();  ///< steps on 1 to 16 wafer processes that replay gpt_small
void swarm_model();    ///< the same with other times and sizes, for a model of it
void swarm_loss();     ///< a wafer's process killed and stopped in mid-step
void look();           ///< what it costs to look at tiles

}  // namespace weft::bench
