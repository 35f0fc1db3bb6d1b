/// Parts of vf in other files.
#pragma once

#include "verif/model/machine/machine.hpp"

namespace weft::model {

/// Copies a scalar in each column's memory to all lanes of b[col][lane].
void memory_scalar(Machine& m, std::uint16_t address, float* b);

/// True if a vf adds products to the same accumulators in every repetition and its entries of R do not overlap.
bool accumulates(const VectorOp& op);
/// Executes a vf for which accumulates() is true.
void accumulate(Machine& m, const VectorOp& op);

/// True if a vf adds one memory vector, with a weight from memory in each repetition, to accumulators that do not cross
/// the end of R.
bool spreads(const Machine& m, const VectorOp& op);
/// Defers a vf for which spreads() is true, together with similar ones.
void spread_later(Machine& m, const VectorOp& op);

}  // namespace weft::model
