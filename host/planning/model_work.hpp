/// Multiply-adds that a model itself needs, without those that a mapping repeats, pads or masks.
#pragma once

#include "sw/compiler/plan/plan.hpp"

namespace weft::planning {

/// Multiply-adds of a token in a training step, three times those of forward: the weights of all linears, without those
/// that `mask` prunes, and attention of each query to (seq + 1) / 2 keys on average, twice. Documents are ignored.
double model_multiply_adds(const compiler::ModelShape& model, const compiler::Mask& mask = {});

/// Part of all lanes' multiply-adds that the model itself needs, in a wafer's micro-batch of `cycles` cycles.
double share_of_lanes(const compiler::Plan& plan, double cycles);

}  // namespace weft::planning
