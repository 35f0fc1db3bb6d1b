/// The learning rate as a function of the step, in the Cerebras Model Zoo's terms: entries that follow one another.
#pragma once

#include <cstdint>
#include <vector>

namespace weft::memoryx {

/// Parameters of one schedule entry. docs/reference/optimizers.md describes which of them each scheduler uses, and how.
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
  double initial_learning_rate = 0;  ///< the rate, if Constant
  double end_learning_rate = 0;      ///< reached after total_iters steps
  std::uint64_t total_iters = 0;     ///< steps; 0: endless, for schedulers that permit it (`may_be_endless`)
  double power = 1, step_exponent = 1;
  double decay_rate = 0, gamma = 0, scale = 1;
  bool staircase = false;
  std::uint64_t warmup_steps = 1, step_size = 1, t_max = 1;
  std::vector<std::uint64_t> milestones = {};  ///< steps within this entry, ascending
  std::vector<double> learning_rates = {};     ///< one more than milestones

  /// True if the rate does not depend on total_iters.
  constexpr bool may_be_endless() const {
    return scheduler == Scheduler::Constant || scheduler >= Scheduler::InverseSquareRootDecay;
  }
};

class LearningRate {
 public:
  /// A constant rate.
  explicit LearningRate(double constant);
  /// There must be at least one entry, and all but the last must end; the configuration checks both.
  explicit LearningRate(std::vector<ScheduleEntry> entries);

  /// The rate of step 0, 1, ... Each entry numbers its steps from 0. After the last entry's total_iters, its formula
  /// continues to apply.
  double at(std::uint64_t step) const;

 private:
  std::vector<ScheduleEntry> entries_;
};

}  // namespace weft::memoryx
