/// Compiles the plan of a configuration and reports errors of the compiler as errors of its keys.
#pragma once

#include <vector>

#include "host/config/config.hpp"
#include "host/planning/batch_shape.hpp"

namespace weft::planning {

struct LoadedPlan;

/// Throws Refusal, at the place of the key that the compiler names, if the model cannot be compiled for the wafer.
/// Makes no plan and accesses no file.
void check_fit(const config::Config& config);

/// Resolves the settings that are auto: train_input.micro_batch_size and wafer.sequence_columns
/// (choose_batch_shape(), or in mode generate choose_generation_batch()), then wafer.valves. Returns what was chosen;
/// with `options.explain`, with the cost of the next best. Call after check_fit.
std::vector<Choice> choose_shape(config::Config& config, const SearchOptions& options = {});

/// Compiles the plan (in mode generate, with compile_generation), or returns `loaded` if that is not null
/// (saved_plan.hpp). Throws as check_fit does.
compiler::Plan compile_plan(const config::Config& config, const compiler::Mask& mask,
                            const LoadedPlan* loaded = nullptr);

}  // namespace weft::planning
