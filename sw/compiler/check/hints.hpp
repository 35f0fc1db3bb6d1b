/// Hints for a model that does not fit its wafer.
#pragma once

#include <string>

#include "sw/compiler/model/model_shape.hpp"
#include "sw/machine/shape.hpp"

namespace weft::compiler {

/// The nearest settings that compile: "use wafer.sram_kib 60 or wafer.rows 6 or ...", each sufficient alone, or, if
/// none is, "use wafer.sram_kib 128, wafer.rows 9 and model.num_hidden_layers 4 together". A suggested micro_batch_size
/// divides the current one, and so batch_size; a suggested hidden_size is a multiple of num_heads. With
/// model.filter_follows, a suggested hidden_size implies a filter of 4 x that size.
std::string settings_that_fit(const ModelShape& model, const machine::WaferShape& wafer);

}  // namespace weft::compiler
