/// Requirements of a configuration that is to be compiled.
#pragma once

#include "sw/compiler/model/model_shape.hpp"
#include "sw/machine/shape.hpp"

namespace weft::compiler {

/// Throws the Refusal that compile() would throw, one line that ends with a hint, without making a plan.
void check(const ModelShape& model, const machine::WaferShape& wafer);

/// Ranges and divisibility. Throws Refusal.
void check_shapes(const ModelShape& model, const machine::WaferShape& wafer);

/// As check(), for compile_decode. Throws Refusal of model.network if its keys and values cannot be kept.
void check_decode(const ModelShape& model, const machine::WaferShape& wafer);

}  // namespace weft::compiler
