/// Chooses how many groups the rows of a wafer form (docs/explanation/row_groups.md).
#pragma once

#include <optional>
#include <vector>

#include "host/config/config.hpp"
#include "host/planning/batch_shape.hpp"
#include "host/planning/choice.hpp"

namespace weft::planning {

/// Numbers of groups that the configuration allows, ascending: divisors of wafer.rows, of train_input.batch_size, and
/// of train_input.micro_batch_size if that is a number; 1 if a wafer is a board.
std::vector<int> group_counts(const config::Config& config);

/// Resolves train_input.micro_batch_size, wafer.sequence_columns and wafer.valves as choose_batch_shape() and
/// choose_valves() do for a group as a wafer of its own, and multiplies sequences and valves by the number of groups.
std::vector<Choice> choose_shape_of_groups(config::Config& config, const SearchOptions& options);

/// Resolves `wafer.row_groups` if it is auto: of the numbers of groups that fit, the one with the fewest estimated
/// cycles of a step on train_input.auto_num_csx wafers, with the shape of a micro-batch that choose_batch_shape()
/// finds for it; in case of a tie, the fewest groups. Numbers are estimated in ascending order until kMostWorse in a row
/// are no better or do not fit. Call after check_fit(), with a mode other than `generate`. Throws Refusal if not even
/// one group fits.
std::optional<Choice> choose_row_groups(config::Config& config, const SearchOptions& options);
inline constexpr int kMostWorse = 2;

}  // namespace weft::planning
