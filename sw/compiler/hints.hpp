/// What to change about a model that does not fit its wafer.
#pragma once

#include <string>

#include "sw/compiler/plan.hpp"

namespace weft {

/// The nearest settings that compile: "use wafer.sram_kib 60 or wafer.rows 6 or ...", each alone enough, or, if none
/// is, "use wafer.sram_kib 128, wafer.rows 9 and model.num_hidden_layers 4 together". micro_batch_size stays a divisor
/// of what it is, and so of batch_size; hidden_size a multiple of num_heads. With model.filter_follows, an offer of
/// another hidden_size counts on the filter of 4 x as much.
std::string settings_that_fit(const ModelShape& model, const WaferShape& wafer);

}  // namespace weft
