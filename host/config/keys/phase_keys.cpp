/// Keys of a phase of optimizer.learning_rate.
#include "host/config/keys/keys.hpp"

namespace weft::config {
namespace {

constexpr double kAnyRate = std::numeric_limits<double>::infinity();
constexpr double kMostSteps = 1 << 30;

using PhaseKey = Key<LearningRatePhase>;

PhaseKey scheduler(PhaseKey key, std::vector<std::string_view> choices) {
  key.required = true;
  key.choices = std::move(choices);
  return key;
}

}  // namespace

#define WEFT_PHASE(member) [](LearningRatePhase& p) -> Slot { return &p.member; }

const std::vector<Key<LearningRatePhase>>& phase_keys() {
  static const std::vector<Key<LearningRatePhase>> keys = {
      scheduler({"scheduler", kBits, WEFT_PHASE(scheduler), "docs/reference/optimizers.md has the formulas"},
                {"Constant", "Linear", "CosineDecay", "Polynomial", "Exponential", "InverseExponentialTimeDecay",
                 "InverseSquareRootDecay", "CosineAnnealing", "Step", "MultiStep", "PiecewiseConstant"}),
      {"learning_rate", kBits, WEFT_PHASE(learning_rate), "rate of Constant", 0, kAnyRate},
      {"initial_learning_rate", kBits, WEFT_PHASE(initial_learning_rate), "rate at the phase's first step", 0,
       kAnyRate},
      {"end_learning_rate", kBits, WEFT_PHASE(end_learning_rate), "rate reached after total_iters steps", 0, kAnyRate},
      {"total_iters", kBits, WEFT_PHASE(total_iters), "steps of the phase; 0: all remaining ones", 0, kMostSteps},
      {"power", kBits, WEFT_PHASE(power), "exponent of Polynomial", 0, kAnyRate},
      {"decay_rate", kBits, WEFT_PHASE(decay_rate),
       "decay of Exponential over total_iters steps, and of InverseExponentialTimeDecay", 0, kAnyRate},
      {"step_exponent", kBits, WEFT_PHASE(step_exponent), "exponent of InverseExponentialTimeDecay", 0, kAnyRate},
      {"staircase", kBits, WEFT_PHASE(staircase),
       "Exponential, InverseExponentialTimeDecay: change only at multiples of total_iters"},
      {"scale", kBits, WEFT_PHASE(scale), "factor of InverseSquareRootDecay", 0, kAnyRate},
      {"warmup_steps", kBits, WEFT_PHASE(warmup_steps), "InverseSquareRootDecay: steps without decay at the beginning",
       1, kMostSteps},
      {"T_max", kBits, WEFT_PHASE(T_max), "CosineAnnealing: steps of half a wave", 0, kMostSteps},
      {"eta_min", kBits, WEFT_PHASE(eta_min), "CosineAnnealing: lowest rate", 0, kAnyRate},
      {"gamma", kBits, WEFT_PHASE(gamma), "Step and MultiStep: factor", 0, kAnyRate},
      {"step_size", kBits, WEFT_PHASE(step_size), "Step: steps between factors", 0, kMostSteps},
      {"milestones", kBits, WEFT_PHASE(milestones),
       "MultiStep and PiecewiseConstant: steps of the phase at which the rate changes", 1, kMostSteps},
      {"learning_rates", kBits, WEFT_PHASE(learning_rates), "PiecewiseConstant: rates, one more than milestones", 0,
       kAnyRate},
  };
  return keys;
}

}  // namespace weft::config
