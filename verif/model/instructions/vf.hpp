/// Parts of vf.
#pragma once

#include "verif/model/machine/machine.hpp"

namespace weft::model {

/// Spreads a memory scalar of each column over b[col][lane].
void memory_scalar(Machine& m, std::uint16_t address, float* b);

/// Whether a vf adds products to the same accumulators in every repetition, and no two entries of R get in its way.
bool accumulates(const VectorOp& op);
/// Does such a one.
void accumulate(Machine& m, const VectorOp& op);

}  // namespace weft::model
