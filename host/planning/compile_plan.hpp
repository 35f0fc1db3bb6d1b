/// Compiles the plan of a configuration and reports errors of the compiler as errors of its keys.
#pragma once

#include "host/config/config.hpp"

namespace weft {

struct LoadedPlan;

/// Throws Refusal, at the place of the key that the compiler names, if the model cannot be compiled for the wafer.
/// Makes no plan and accesses no file.
void check_fit(const Config& config);

/// Resolves `wafer.sequence_columns` if it is auto: the fewest with which the model fits, or in mode generate the
/// choice of choose_generation_batch(). Call after check_fit.
void choose_sequence_columns(Config& config);

/// Compiles the plan (in mode generate, with compile_generation), or returns `loaded` if that is not null
/// (saved_plan.hpp). Throws as check_fit does.
Plan compile_plan(const Config& config, const Mask& mask, const LoadedPlan* loaded = nullptr);

}  // namespace weft
