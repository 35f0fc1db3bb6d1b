/// Chooses how many sequences a wafer computes at once, and over how many columns each is spread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "host/config/config.hpp"
#include "host/planning/choice.hpp"
#include "host/system/progress.hpp"

namespace weft::planning {

/// A shape of a micro-batch that the search considers.
struct BatchShape {
  int micro_batch = 1;        ///< train_input.micro_batch_size
  int columns = 1;            ///< wafer.sequence_columns
  int tokens = 0;             ///< of a column, with padding
  int passes = 1;             ///< of a step on train_input.auto_num_csx wafers
  std::int64_t products = 0;  ///< beats of a row's products of queries with keys, in a layer of a micro-batch

  /// True if a step with `other` cannot be faster: its micro-batches have no shorter vectors and no fewer products in
  /// attention, it has no fewer passes, and no shorter exchange between columns in attention.
  bool dominates(const BatchShape& other) const {
    return tokens <= other.tokens && passes <= other.passes && columns <= other.columns && products <= other.products;
  }
};

/// Shapes that the configuration allows: divisors of train_input.batch_size and of wafer.cols where a key is auto, the
/// given number otherwise. The first have the fewest tokens of a column over all passes of a step; of these, the first
/// has the most sequences. `groups`: as in SearchOptions.
std::vector<BatchShape> batch_shapes(const config::Config& config, int groups = 1);

/// Passes of a step on `wafers` wafers: in each, a wafer computes one micro-batch of so many sequences.
int passes_on(int wafers, const config::Config& config, int micro_batch);

/// Choice of choose_batch_shape() for a number of groups of rows.
struct ChosenBatchShape {
  int micro_batch = 1, columns = 1;
  Choice choice;
};

struct SearchOptions {
  bool explain = false;                  ///< also estimate an alternative where the choice needs no estimate
  system::Progress* progress = nullptr;  ///< advanced with each estimate
  int groups = 1;  ///< groups of rows, of which the configuration is one: each contributes to every micro-batch
  std::map<int, ChosenBatchShape>* chosen = nullptr;  ///< choices by number of groups: reused, and added to
};

/// Resolves `train_input.micro_batch_size` and `wafer.sequence_columns` if they are auto: of the shapes that fit, the
/// one with the fewest estimated cycles of a step on train_input.auto_num_csx wafers. Beats per token, and per product
/// of attention, of the shapes estimated so far bound those of the others: the shape with the lowest bound is estimated
/// next, until no bound is below the best shape's cycles or kMostEstimates shapes are estimated. A shape that another
/// one dominates is not estimated. The estimate has a valve per row, partial sums of two cycles and a W that may turn
/// around, so that the choice, and with it the bits, depends neither on the run's number of wafers nor on model or RTL,
/// the valves or wafer.psum_cycles. A run with a board has one column. The choice has a note if the micro-batches leave
/// more than a tenth of the run's wafers idle. Call after check_fit(), with a mode other than `generate`. Throws
/// Refusal.
std::optional<Choice> choose_batch_shape(config::Config& config, const SearchOptions& options = {});
inline constexpr std::size_t kMostEstimates = 12;

}  // namespace weft::planning
