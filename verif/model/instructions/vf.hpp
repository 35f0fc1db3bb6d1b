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

/// Whether a vf adds one vector in memory, with a weight from memory in each repetition, to accumulators that no end of
/// R cuts.
bool spreads(const Machine& m, const VectorOp& op);
/// Puts such a one off, with others like it.
void spread_later(Machine& m, const VectorOp& op);

}  // namespace weft::model
