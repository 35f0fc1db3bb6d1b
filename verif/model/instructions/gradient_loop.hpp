/// One output of a gradient pass in both threads at once: main's dot products go to psum's reduction without a dispatch
/// for each group of indices. Defined in dot.cpp, next to vdot.
#pragma once

#include "verif/model/machine/machine.hpp"

namespace weft::model {

/// Executes main's vdot and psum's vr of the next output, if both are at these instructions in lockstep rows, MP is
/// empty, and the output's deltas and all its indices have arrived. psum's instruction has then ended, and the caller
/// ends main's. Requires that no products are deferred. Otherwise returns false, and at most the deltas have been
/// captured, as vdot would.
bool gradient_output(Machine& m);

}  // namespace weft::model
