/// The choice of all settings that are auto.
#pragma once

#include <vector>

#include "host/planning/batch_shape.hpp"

namespace weft::planning {

/// Resolves the settings that are auto: wafer.row_groups (choose_row_groups()), train_input.micro_batch_size and
/// wafer.sequence_columns (choose_batch_shape(), or in mode generate choose_generation_batch()), then wafer.valves.
/// Returns what was chosen; with `options.explain`, with the cost of the next best. Call after check_fit
/// (compile_plan.hpp).
std::vector<Choice> choose_shape(config::Config& config, const SearchOptions& options = {});

}  // namespace weft::planning
