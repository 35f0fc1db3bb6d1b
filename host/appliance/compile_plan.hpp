/// A configuration's plan; what the compiler refuses is the user's mistake.
#pragma once

#include "host/config/config.hpp"

namespace weft {

/// Throws Refusal, at the place of the key that the compiler names, if the model cannot be compiled for the wafer.
/// Makes no plan and touches no file.
void check_fit(const Config& config);

/// Puts a number where `wafer.sequence_columns` is auto: the fewest with which the model fits, or in mode generate what
/// texts_at_once() takes. After check_fit.
void choose_sequence_columns(Config& config);

/// The plan, in mode generate that of compile_generation; that of use_plan, if it was called. Throws as check_fit does.
Plan compile_plan(const Config& config, const Mask& mask);

}  // namespace weft
