/// The learning rate as a function of the step, in the Cerebras Model Zoo's terms: entries that follow one another.
#pragma once

#include <cstdint>
#include <vector>

namespace weft {

struct ScheduleEntry {
  enum class Scheduler : std::uint8_t { Constant, Linear, CosineDecay };
  Scheduler scheduler = Scheduler::Constant;
  double initial_learning_rate = 0;  ///< Constant: the rate
  double end_learning_rate = 0;      ///< reached after total_iters steps
  std::uint64_t total_iters = 0;     ///< steps; 0: a constant that never ends
};

class LearningRate {
 public:
  /// The same rate for ever.
  explicit LearningRate(double constant);
  /// Throws Refusal if there are no entries or one that is not the last has no end.
  explicit LearningRate(std::vector<ScheduleEntry> entries);

  /// The rate of step 0, 1, ... An entry's first step has its initial rate; after the last entry its end rate stays.
  double at(std::uint64_t step) const;

 private:
  std::vector<ScheduleEntry> entries_;
};

}  // namespace weft
