/// What a configuration must satisfy to become a plan.
#pragma once

#include <string>
#include <vector>

#include "sw/compiler/plan.hpp"

namespace weft {

/// Throws what compile() would throw, without making a plan: Refusal, one line that ends with what to change.
void check(const ModelShape& model, const WaferShape& wafer);

/// Ranges and divisibility. Throws Refusal.
void check_shapes(const ModelShape& model, const WaferShape& wafer);

/// The wafer with a number where `sequence_columns` is 0: the fewest with which the model fits, or else has most room.
WaferShape with_sequence_columns(const ModelShape& model, const WaferShape& wafer);

/// Why shapes that are all right by themselves do not fit each other, each as "key: reason"; empty if they do. SRAM,
/// accumulator file, width of an index. `wafer.sequence_columns` 0: with as many as are best.
std::vector<std::string> misfits(const ModelShape& model, const WaferShape& wafer);

/// The same of compile_decode. Throws Refusal of model.network if that has no keys and values to keep.
void check_decode(const ModelShape& model, const WaferShape& wafer);
std::vector<std::string> decode_misfits(const ModelShape& model, const WaferShape& wafer);

}  // namespace weft
