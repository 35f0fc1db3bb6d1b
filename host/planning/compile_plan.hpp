/// Compiles the plan of a configuration and reports errors of the compiler as errors of its keys.
#pragma once

#include "host/config/config.hpp"

namespace weft::planning {

struct LoadedPlan;

/// Throws Refusal, at the place of the key that the compiler names, if the model cannot be compiled for the wafer.
/// Makes no plan and accesses no file.
void check_fit(const config::Config& config);

/// Compiles the plan (in mode generate, with compile_generation), or returns `loaded` if that is not null
/// (saved_plan.hpp). Throws as check_fit does.
compiler::Plan compile_plan(const config::Config& config, const compiler::Mask& mask,
                            const LoadedPlan* loaded = nullptr);

}  // namespace weft::planning
