/// The loops of both threads of a GEMM, executed together: main adds up an output's weights, psum adds the sums to a
/// partial sum on its way. An output then costs neither a dispatch of each instruction nor a wait of a thread.
#pragma once

#include "verif/model/machine/machine.hpp"

namespace weft::model {

struct GemmRun {
  int outputs = 0;             ///< executed
  bool waits_for_sum = false;  ///< the next output lacks only its partial sum
};
/// Executes the next outputs, if main is at the vaxs of such a loop and psum at its vs, MP is empty, and the outputs'
/// weights and partial sums have arrived. Both threads end where they would have ended alone. Requires no other
/// deferred work than precomputed sums.
GemmRun gemm_loop(Machine& m);

}  // namespace weft::model
