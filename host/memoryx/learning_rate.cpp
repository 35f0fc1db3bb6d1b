#include "host/memoryx/learning_rate.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "sw/base/refusal.hpp"

namespace weft {
namespace {

double rate(const ScheduleEntry& e, std::uint64_t step) {
  using Scheduler = ScheduleEntry::Scheduler;
  if (e.scheduler == Scheduler::Constant) return e.initial_learning_rate;
  if (step >= e.total_iters) return e.end_learning_rate;
  const double done = static_cast<double>(step) / static_cast<double>(e.total_iters);
  const double left = e.scheduler == Scheduler::Linear ? 1 - done : 0.5 * (1 + std::cos(std::numbers::pi * done));
  return e.end_learning_rate + (e.initial_learning_rate - e.end_learning_rate) * left;
}

}  // namespace

LearningRate::LearningRate(double constant) : entries_{{ScheduleEntry::Scheduler::Constant, constant, constant, 0}} {}

LearningRate::LearningRate(std::vector<ScheduleEntry> entries) : entries_(std::move(entries)) {
  if (entries_.empty()) {
    throw Refusal("optimizer.learning_rate", "the list is empty", "give one number or at least one scheduler");
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const ScheduleEntry& e = entries_[i];
    const bool endless = e.scheduler == ScheduleEntry::Scheduler::Constant && i + 1 == entries_.size();
    if (e.total_iters == 0 && !endless) {
      throw Refusal("optimizer.learning_rate", "entry " + std::to_string(i) + " has no total_iters",
                    "say how many steps it lasts");
    }
  }
}

double LearningRate::at(std::uint64_t step) const {
  for (const ScheduleEntry& e : entries_) {
    if (step < e.total_iters || &e == &entries_.back()) return rate(e, step);
    step -= e.total_iters;
  }
  return 0;  // not reached: entries_ is never empty
}

}  // namespace weft
