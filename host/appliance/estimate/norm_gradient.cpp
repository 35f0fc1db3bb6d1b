#include "host/appliance/estimate/norm_gradient.hpp"

#include <algorithm>
#include <functional>

#include "host/appliance/estimate/kernels/beats.hpp"
#include "host/appliance/estimate/sum_beats.hpp"

namespace weft {
namespace {

constexpr double kStart = 40;    // of a call, until vdot takes indices
constexpr double kGather = 25;   // a group's last index, until its beats
constexpr double kSum = 7;       // a multiply-add, until the same sum can be added to again
constexpr double kBetween = 10;  // vdot's last beat and the first sum; the last sum and the next vdot
constexpr double kReduce = 20;   // the last sum, until the first goes west
constexpr double kWest = 11;     // a sum of a column, until that of the next to the west

/// Calls `work` with each group's slots.
void for_each_group(const Sweep& sweep, const std::function<void(int)>& work) {
  for (int first = 0; first < sweep.outputs->slots(); first += sweep.together)
    work(std::min(sweep.together, sweep.outputs->slots() - first));
}

}  // namespace

double norm_gradient_cycles(const StreamCall& call, const WaferShape& wafer, int tokens) {
  const double vector = static_cast<double>(tokens) / wafer.lanes;
  const int upper = upper_half(wafer), rows = (wafer.rows + wafer.valves - 1) / wafer.valves;
  const bool together = (call.argument("xhat") < upper) == (call.argument("dy") < upper);  // in one half
  double now = call.commands + kStart, end = now;
  for_each_group(*call.sweep, [&](int slots) {
    const double indices = 2.0 * slots;
    now += rows * indices + kGather + indices + kBetween;
    now += vector * std::max(kSum, indices + (together ? slots : 0)) + kBetween;
    end = now + kReduce + indices * wafer.lanes / 4 + kWest * (wafer.cols - 1);
  });
  return end;
}

std::uint64_t norm_gradient_beats(const StreamCall& call, const WaferShape& wafer, int tokens, std::uint64_t taps) {
  const auto lanes = static_cast<std::uint64_t>(wafer.lanes), vector = static_cast<std::uint64_t>(tokens) / lanes;
  std::uint64_t beats = 1 + taps, left = taps;  // psum's first vector, vdot's
  for_each_group(*call.sweep, [&](int slots) {
    const auto most = 2 * static_cast<std::uint64_t>(slots), mine = std::min(left, most);
    beats += 1 + most * vector + reduce_beats(lanes, mine);
    left -= mine;
  });
  return beats;
}

}  // namespace weft
