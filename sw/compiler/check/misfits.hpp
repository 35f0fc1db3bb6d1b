/// Reasons why a model does not fit its wafer.
#pragma once

#include <string>
#include <vector>

#include "sw/compiler/model/model_shape.hpp"
#include "sw/machine/shape.hpp"

namespace weft::compiler {

/// The wafer with a `sequence_columns` of 0 replaced: by the fewest with which the model fits, or if none fits, by the
/// number with which the model needs least memory.
machine::WaferShape with_sequence_columns(const ModelShape& model, const machine::WaferShape& wafer);

/// Reasons why shapes that are valid by themselves do not fit each other (SRAM, accumulator file, width of an index),
/// each as "key: reason"; empty if they fit. `wafer.sequence_columns` 0: with the best number.
std::vector<std::string> misfits(const ModelShape& model, const machine::WaferShape& wafer);

/// As above, for compile_decode. Throws Refusal of model.network if its keys and values cannot be kept.
std::vector<std::string> decode_misfits(const ModelShape& model, const machine::WaferShape& wafer);

}  // namespace weft::compiler
