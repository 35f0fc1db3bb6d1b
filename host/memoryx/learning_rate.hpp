/// The learning rate as a function of the step, in the Cerebras Model Zoo's terms: entries that follow one another.
#pragma once

#include <cstdint>
#include <vector>

namespace weft {

/// Which of the numbers a scheduler takes, and what it makes of them: docs/optimizers.md.
struct ScheduleEntry {
  enum class Scheduler : std::uint8_t {
    Constant,
    Linear,
    CosineDecay,
    Polynomial,
    Exponential,
    InverseExponentialTimeDecay,
    InverseSquareRootDecay,
    CosineAnnealing,
    Step,
    MultiStep,
    PiecewiseConstant
  };
  Scheduler scheduler = Scheduler::Constant;
  double initial_learning_rate = 0;  ///< Constant: the rate
  double end_learning_rate = 0;      ///< reached after total_iters steps
  std::uint64_t total_iters = 0;     ///< steps; 0: it never ends, where that has a meaning (`may_be_endless`)
  double power = 1, step_exponent = 1;
  double decay_rate = 0, gamma = 0, scale = 1;
  bool staircase = false;
  std::uint64_t warmup_steps = 1, step_size = 1, t_max = 1;
  std::vector<std::uint64_t> milestones = {};  ///< steps of this entry, rising
  std::vector<double> learning_rates = {};     ///< one more than milestones

  /// Whether total_iters has no part in its rate.
  constexpr bool may_be_endless() const {
    return scheduler == Scheduler::Constant || scheduler >= Scheduler::InverseSquareRootDecay;
  }
};

class LearningRate {
 public:
  /// The same rate for ever.
  explicit LearningRate(double constant);
  /// There is at least one entry, and all but the last have an end: the configuration has checked both.
  explicit LearningRate(std::vector<ScheduleEntry> entries);

  /// The rate of step 0, 1, ... An entry's first step is its step 0; after the last entry's total_iters that goes on as
  /// its formula does.
  double at(std::uint64_t step) const;

 private:
  std::vector<ScheduleEntry> entries_;
};

}  // namespace weft
