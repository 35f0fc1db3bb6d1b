/// A plan that returns the logits of any token of a sample, for networks whose tokens see later ones.
#pragma once

#include "sw/compiler/compile.hpp"

namespace weft::compiler {

/// As compile_generation(), but the plan takes samples by Plan::tokens(), with documents, padding and segments, and
/// returns the logits of their valid token, of which there must be one.
Plan compile_logits(const ModelShape& model, const machine::WaferShape& wafer, const Mask& mask = {});

}  // namespace weft::compiler
