/// Chooses how many sequences a wafer computes at once, and over how many columns each is spread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/config/config.hpp"
#include "host/planning/choice.hpp"
#include "host/system/progress.hpp"

namespace weft::planning {

/// A shape of a micro-batch that the search considers.
struct BatchShape {
  int micro_batch = 1;  ///< train_input.micro_batch_size
  int columns = 1;      ///< wafer.sequence_columns
  int tokens = 0;       ///< of a column, with padding

  /// True if `other` cannot be cheaper per sequence: it has no shorter vectors, no more sequences that share the
  /// stream, and no shorter exchange between columns in attention.
  bool dominates(const BatchShape& other) const {
    return tokens <= other.tokens && micro_batch >= other.micro_batch && columns <= other.columns;
  }
};

/// Shapes that the configuration allows: divisors of train_input.batch_size and of wafer.cols where a key is auto, the
/// given number otherwise. The first have the fewest tokens of a column per sequence; of these, the first has the most
/// sequences.
/// `groups`: as in SearchOptions.
std::vector<BatchShape> batch_shapes(const config::Config& config, int groups = 1);

struct SearchOptions {
  bool explain = false;                  ///< also estimate an alternative where the choice needs no estimate
  system::Progress* progress = nullptr;  ///< advanced with each estimate
  int groups = 1;  ///< groups of rows, of which the configuration is one: each contributes to every micro-batch
};

/// Resolves `train_input.micro_batch_size` and `wafer.sequence_columns` if they are auto: of the shapes that fit, the
/// one with the fewest estimated cycles per sequence; in case of a tie, the one with the fewest sequences. At most
/// kMostEstimates shapes are estimated; a shape that another one dominates, or whose beats alone take longer than the
/// best shape, is not. The estimate has a valve per row, partial sums of two cycles and a W that may turn around, so
/// that the choice, and with it the bits, depends neither on the number of wafers nor on model or RTL, the valves or
/// wafer.psum_cycles. A run with a board has one column. Call after check_fit(), with a mode other than `generate`.
/// Throws Refusal.
std::optional<Choice> choose_batch_shape(config::Config& config, const SearchOptions& options = {});
inline constexpr std::size_t kMostEstimates = 8;

}  // namespace weft::planning
