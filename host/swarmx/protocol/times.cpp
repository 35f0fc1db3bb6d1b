#include "host/swarmx/protocol/times.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace weft::swarmx {
namespace {

constexpr std::size_t at(Part part) { return static_cast<std::size_t>(part); }

}  // namespace

double StepTimes::sum() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }

StepTimes operator+(const StepTimes& a, const StepTimes& b) {
  StepTimes sum;
  std::ranges::transform(a.seconds, b.seconds, sum.seconds.begin(), std::plus{});
  return sum;
}

void StepClock::account() {
  const Time now = time_();
  spent_[at(this->now())] += now - std::exchange(since_, now);
}

Part StepClock::switch_to(Part part) {
  account();
  return part_.exchange(part, std::memory_order_relaxed);
}

void StepClock::reduced(Duration time) {
  for (const Part part : {Part::Compute, Part::Wait}) {
    Duration& waited = spent_[at(part)];
    const Duration some = std::min(time, waited);
    waited -= some;
    time -= some;
    spent_[at(Part::Reduce)] += some;
  }
}

StepTimes StepClock::take() {
  account();
  StepTimes times;
  std::ranges::transform(std::exchange(spent_, {}), times.seconds.begin(),
                         [](Duration time) { return std::chrono::duration<double>(time).count(); });
  return times;
}

}  // namespace weft::swarmx
