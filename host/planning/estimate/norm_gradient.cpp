#include "host/planning/estimate/norm_gradient.hpp"

#include <algorithm>
#include <functional>

#include "host/planning/estimate/kernels/beats.hpp"
#include "host/planning/estimate/sum_beats.hpp"

namespace weft::planning {
namespace {

constexpr double kNormStart = 40;    // from the call until vdot takes indices
constexpr double kNormGather = 25;   // from a group's last index until its beats
constexpr double kNormSum = 7;       // from a multiply-add until the same sum can be updated again
constexpr double kNormBetween = 10;  // from vdot's last beat to the first sum, and from the last sum to the next vdot
constexpr double kNormReduce = 20;   // from the last sum until the first is sent west
constexpr double kNormWest = 11;     // from a sum in one column to that in the next column to the west

/// Calls `work` with the number of slots of each group.
void for_each_group(const compiler::StreamDescriptor& descriptor, const std::function<void(int)>& work) {
  for (int first = 0; first < descriptor.outputs->slots(); first += descriptor.together)
    work(std::min(descriptor.together, descriptor.outputs->slots() - first));
}

}  // namespace

double norm_gradient_cycles(const StreamCall& call, const machine::WaferShape& wafer, int tokens) {
  const double vector = static_cast<double>(tokens) / wafer.lanes;
  const int upper = upper_half(wafer), rows = (wafer.rows + wafer.valves - 1) / wafer.valves;
  const bool together = (call.argument("xhat") < upper) == (call.argument("dy") < upper);  // both in one half of memory
  double now = call.commands + kNormStart, end = now;
  for_each_group(*call.descriptor, [&](int slots) {
    const double indices = 2.0 * slots;
    now += rows * indices + kNormGather + indices + kNormBetween;
    now += vector * std::max(kNormSum, indices + (together ? slots : 0)) + kNormBetween;
    end = now + kNormReduce + indices * wafer.lanes / 4 + kNormWest * (wafer.cols - 1);
  });
  return end;
}

std::uint64_t norm_gradient_beats(const StreamCall& call, const machine::WaferShape& wafer, int tokens,
                                  std::uint64_t elements) {
  const auto lanes = static_cast<std::uint64_t>(wafer.lanes), vector = static_cast<std::uint64_t>(tokens) / lanes;
  std::uint64_t beats = 1 + elements, left = elements;  // psum's first vector, and vdot's beats
  for_each_group(*call.descriptor, [&](int slots) {
    const auto most = 2 * static_cast<std::uint64_t>(slots), mine = std::min(left, most);
    beats += 1 + most * vector + reduce_beats(lanes, mine);
    left -= mine;
  });
  return beats;
}

}  // namespace weft::planning
