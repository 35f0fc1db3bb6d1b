/// Choices for settings that are auto, as compile_only and `weft configs` print them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::planning {

/// Values for the keys that are chosen together, and their estimated cost.
struct Alternative {
  std::vector<int> values = {};
  double cycles = 0;
};

/// The values chosen for settings that were auto.
struct Choice {
  std::vector<std::string_view> keys = {};
  std::string measure = {};  ///< what `cycles` counts: "of a step on 16 wafers"
  Alternative best = {};
  std::optional<Alternative> next =
      {};                    ///< the best of the others that were estimated; none: there is no other that fits
  std::size_t compared = 0;  ///< number of alternatives that were estimated; 0: nothing to compare
  std::string note = {};     ///< a disadvantage in this run, and what to do about it; empty: none

  /// Cycles of `next` over those of `best`.
  double ratio() const { return next->cycles / best.cycles; }
};

/// "train_input.micro_batch_size 5, wafer.sequence_columns 200: 1.23e+08 cycles of a step on 16 wafers; next best 4,
/// 250: 1.080 times"
std::string text_of(const Choice& choice);

}  // namespace weft::planning
