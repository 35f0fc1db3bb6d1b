#include "host/planning/estimate/arrival_times.hpp"

#include <algorithm>

namespace weft::planning {

ArrivalTimes::ArrivalTimes(const machine::WaferShape& wafer, double start, std::size_t room)
    : taken_(static_cast<std::size_t>(wafer.rows), room + link_room(wafer)),
      valves_(static_cast<std::size_t>(wafer.valves), start),
      there_(static_cast<std::size_t>(wafer.rows), start) {
  for (int v = 0; v < wafer.valves; ++v) {
    const int first = v * wafer.rows / wafer.valves;
    for (int r = first; r < (v + 1) * wafer.rows / wafer.valves; ++r) {
      valve_.push_back(v);
      hops_.push_back(r - first);
    }
  }
}

double ArrivalTimes::next_weight(int row) {
  double& valve = valves_[static_cast<std::size_t>(valve_of(row))];
  valve = std::max(valve + 1, taken_.oldest(static_cast<std::size_t>(row)));
  return valve + kPath + kHop * hops_[static_cast<std::size_t>(row)];
}

void ArrivalTimes::next_command() {
  for (std::size_t v = 0; v < valves_.size(); ++v) valves_[v] += 1;
  for (std::size_t r = 0; r < valve_.size(); ++r) {
    double& valve = valves_[static_cast<std::size_t>(valve_[r])];
    valve = std::max(valve, taken_.oldest(r));
  }
  for (std::size_t r = 0; r < valve_.size(); ++r)
    there_[r] = valves_[static_cast<std::size_t>(valve_[r])] + kPath + kHop * hops_[r];
}

void ArrivalTimes::set_taken(int row, double time) { taken_.push(static_cast<std::size_t>(row), time); }

}  // namespace weft::planning
