#include "host/memoryx/learning_rate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "sw/base/elementary.hpp"
#include "sw/base/exact_math.hpp"
#include "sw/base/invariant.hpp"

namespace weft::memoryx {
namespace {

constexpr std::uint64_t kMostFactors = 1 << 20;  // powers have long converged by then

using Scheduler = ScheduleEntry::Scheduler;

double between(const ScheduleEntry& e, double left) {
  return e.end_learning_rate + (e.initial_learning_rate - e.end_learning_rate) * left;
}

/// x * factor^n by repeated multiplication: the same bits on every machine.
double times(double x, double factor, std::uint64_t n) {
  for (; n > 0; --n) x *= factor;
  return x;
}

/// The entry's rate at its own step `step`.
double rate(const ScheduleEntry& e, std::uint64_t step) {
  const auto t = static_cast<double>(step), all = static_cast<double>(e.total_iters);
  const auto passed = static_cast<std::uint64_t>(std::ranges::upper_bound(e.milestones, step) - e.milestones.begin());
  const bool over = step >= e.total_iters;
  switch (e.scheduler) {
    case Scheduler::Constant:
      return e.initial_learning_rate;
    case Scheduler::Linear:
      return over ? e.end_learning_rate : between(e, 1 - t / all);
    case Scheduler::CosineDecay:
      return over ? e.end_learning_rate : between(e, 0.5 * (1 + rounded_cos(std::numbers::pi * (t / all))));
    case Scheduler::Polynomial:
      return over ? e.end_learning_rate : between(e, e.power == 1 ? 1 - t / all : rounded_pow(1 - t / all, e.power));
    case Scheduler::Exponential:
      return e.initial_learning_rate * rounded_pow(e.decay_rate, e.staircase ? std::floor(t / all) : t / all);
    case Scheduler::InverseExponentialTimeDecay: {
      const double done = (e.step_exponent == 1 ? t : rounded_pow(t, e.step_exponent)) / all;
      return e.initial_learning_rate / (1 + e.decay_rate * (e.staircase ? std::floor(done) : done));
    }
    case Scheduler::InverseSquareRootDecay:
      return e.initial_learning_rate * (e.scale / std::sqrt(static_cast<double>(std::max(step, e.warmup_steps))));
    case Scheduler::CosineAnnealing:
      return between(e, 0.5 * (1 + rounded_cos(std::numbers::pi * (t / static_cast<double>(e.t_max)))));
    case Scheduler::Step:
      return times(e.initial_learning_rate, e.gamma, std::min<std::uint64_t>(step / e.step_size, kMostFactors));
    case Scheduler::MultiStep:
      return times(e.initial_learning_rate, e.gamma, passed);
    case Scheduler::PiecewiseConstant:
      return e.learning_rates[passed];
  }
  return 0;  // not reached
}

}  // namespace

LearningRate::LearningRate(double constant) : entries_{{ScheduleEntry::Scheduler::Constant, constant, constant, 0}} {}

LearningRate::LearningRate(std::vector<ScheduleEntry> entries) : entries_(std::move(entries)) {
  invariant(!entries_.empty(), "a schedule has at least one phase");
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const ScheduleEntry& e = entries_[i];
    const bool endless = e.may_be_endless() && i + 1 == entries_.size();
    invariant(e.total_iters > 0 || endless, "only the last phase of a schedule may have no end");
  }
}

double LearningRate::at(std::uint64_t step) const {
  for (const ScheduleEntry& e : entries_) {
    if (step < e.total_iters || &e == &entries_.back()) return rate(e, step);
    step -= e.total_iters;
  }
  return 0;  // not reached: entries_ is never empty
}

}  // namespace weft::memoryx
