#include "host/config/keys/phases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace weft::config {
namespace {

using Scheduler = memoryx::ScheduleEntry::Scheduler;

/// A scheduler and the keys of a phase that it uses, besides total_iters, which all use.
struct Kind {
  std::string_view name;
  Scheduler scheduler;
  std::vector<std::string_view> keys;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> table = {
      {"Constant", Scheduler::Constant, {"learning_rate"}},
      {"Linear", Scheduler::Linear, {"initial_learning_rate", "end_learning_rate"}},
      {"CosineDecay", Scheduler::CosineDecay, {"initial_learning_rate", "end_learning_rate"}},
      {"Polynomial", Scheduler::Polynomial, {"initial_learning_rate", "end_learning_rate", "power"}},
      {"Exponential", Scheduler::Exponential, {"initial_learning_rate", "decay_rate", "staircase"}},
      {"InverseExponentialTimeDecay",
       Scheduler::InverseExponentialTimeDecay,
       {"initial_learning_rate", "decay_rate", "step_exponent", "staircase"}},
      {"InverseSquareRootDecay", Scheduler::InverseSquareRootDecay, {"initial_learning_rate", "scale", "warmup_steps"}},
      {"CosineAnnealing", Scheduler::CosineAnnealing, {"initial_learning_rate", "T_max", "eta_min"}},
      {"Step", Scheduler::Step, {"initial_learning_rate", "step_size", "gamma"}},
      {"MultiStep", Scheduler::MultiStep, {"initial_learning_rate", "milestones", "gamma"}},
      {"PiecewiseConstant", Scheduler::PiecewiseConstant, {"milestones", "learning_rates"}},
  };
  return table;
}

const Kind& kind_of(const LearningRatePhase& phase) {
  return *std::ranges::find(kinds(), phase.scheduler, &Kind::name);
}

/// True for increasing step numbers above 0.
bool are_steps(const std::vector<double>& numbers) {
  double before = 0;
  for (const double x : numbers) {
    if (x != std::floor(x) || x <= before) return false;
    before = x;
  }
  return !numbers.empty();
}

std::string phase_text(const LearningRatePhase& p) {
  switch (kind_of(p).scheduler) {
    case Scheduler::Constant:
      return fmt::format("{}", p.learning_rate);
    case Scheduler::Linear:
    case Scheduler::CosineDecay:
      return fmt::format("{} to {}", p.initial_learning_rate, p.end_learning_rate);
    case Scheduler::Polynomial:
      return fmt::format("{} to {}, power {},", p.initial_learning_rate, p.end_learning_rate, p.power);
    case Scheduler::Exponential:
      return fmt::format("{} x {}{}", p.initial_learning_rate, p.decay_rate, p.staircase ? ", staircase," : "");
    case Scheduler::InverseExponentialTimeDecay:
      return fmt::format("{} / (1 + {} t^{}){}", p.initial_learning_rate, p.decay_rate, p.step_exponent,
                         p.staircase ? ", staircase," : "");
    case Scheduler::InverseSquareRootDecay:
      return fmt::format("{} x {} / sqrt(t), warm-up {}", p.initial_learning_rate, p.scale, p.warmup_steps);
    case Scheduler::CosineAnnealing:
      return fmt::format("{} to {} each {}", p.initial_learning_rate, p.eta_min, p.T_max);
    case Scheduler::Step:
      return fmt::format("{} x {} each {}", p.initial_learning_rate, p.gamma, p.step_size);
    case Scheduler::MultiStep:
      return fmt::format("{} x {} at {}", p.initial_learning_rate, p.gamma, fmt::join(p.milestones, ", "));
    case Scheduler::PiecewiseConstant:
      return fmt::format("{} from {}", fmt::join(p.learning_rates, ", "), fmt::join(p.milestones, ", "));
  }
  return {};  // not reached
}

}  // namespace

bool has_part(const LearningRatePhase& phase, std::string_view key) {
  return key == "scheduler" || key == "total_iters" || std::ranges::count(kind_of(phase).keys, key) > 0;
}

memoryx::ScheduleEntry schedule_entry(const LearningRatePhase& p) {
  memoryx::ScheduleEntry e{.scheduler = kind_of(p).scheduler,
                           .initial_learning_rate = p.initial_learning_rate,
                           .end_learning_rate = p.end_learning_rate,
                           .total_iters = static_cast<std::uint64_t>(p.total_iters),
                           .power = p.power,
                           .step_exponent = p.step_exponent,
                           .decay_rate = p.decay_rate,
                           .gamma = p.gamma,
                           .scale = p.scale,
                           .staircase = p.staircase,
                           .warmup_steps = static_cast<std::uint64_t>(p.warmup_steps),
                           .step_size = static_cast<std::uint64_t>(p.step_size),
                           .t_max = static_cast<std::uint64_t>(p.T_max),
                           .milestones = {p.milestones.begin(), p.milestones.end()},
                           .learning_rates = p.learning_rates};
  if (e.scheduler == Scheduler::Constant) e.initial_learning_rate = e.end_learning_rate = p.learning_rate;
  if (e.scheduler == Scheduler::CosineAnnealing) e.end_learning_rate = p.eta_min;
  return e;
}

PhaseFault check_phase(const LearningRatePhase& p, bool last) {
  const Kind& kind = kind_of(p);
  const auto wants = [&](std::string_view key) { return std::ranges::count(kind.keys, key) > 0; };
  if (p.total_iters == 0 && !(last && memoryx::ScheduleEntry{.scheduler = kind.scheduler}.may_be_endless()))
    return {"has no end", "give it total_iters; only the last phase may omit it, if its schedule never ends"};
  if (wants("T_max") && p.T_max == 0) return {"has no T_max", "give the number of steps to eta_min"};
  if (wants("step_size") && p.step_size == 0)
    return {"has no step_size", "give the number of steps between factors gamma"};
  if (wants("milestones") && !are_steps(p.milestones))
    return {"has no rising milestones", "write them like [100, 200]: steps of the phase"};
  if (wants("learning_rates") && p.learning_rates.size() != p.milestones.size() + 1)
    return {fmt::format("has {} learning_rates for {} milestones", p.learning_rates.size(), p.milestones.size()),
            "give it one more than milestones: the first applies from the beginning"};
  return {};
}

std::string phases_text(const std::vector<LearningRatePhase>& phases, bool named) {
  std::vector<std::string> texts;
  for (const LearningRatePhase& p : phases) {
    const bool bare = p.scheduler == "Constant" && phases.size() == 1 && !named;
    std::string text = bare ? phase_text(p) : p.scheduler + " " + phase_text(p);
    texts.push_back(p.total_iters > 0 ? fmt::format("{} in {}", text, p.total_iters) : text);
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace weft::config
