/// A model's network for incremental decoding, with keys and values kept on the wafer (docs/explanation/generation.md).
#pragma once

#include "sw/compiler/graph/graph.hpp"
#include "sw/compiler/model/model_shape.hpp"
#include "sw/machine/shape.hpp"

namespace weft::compiler {

/// The model and the wafer of compile_decode: a micro-batch has as many texts as a row has lanes, each text within one
/// column, including all of forward's k and v.
ModelShape decode_model(const ModelShape& model, const machine::WaferShape& wafer);
machine::WaferShape decode_wafer(const machine::WaferShape& wafer);

/// A model's graph in which each attention has arrays of its own for k and v. Throws Refusal of model.network if other
/// operations use k or v, or if they were not made by a linear or a rotation.
Graph decode_graph(const ModelShape& model);

}  // namespace weft::compiler
