#include "host/appliance/estimate/attention.hpp"

#include <algorithm>

#include "sw/compiler/space.hpp"

namespace weft {

double attention_waits(const Plan& plan, bool back, int kernels_called) {
  constexpr double kKernels = 2, kBackKernels = 6, kHop = 28, kLoop = 9;
  const ModelShape& m = plan.model;
  const int lanes = plan.wafer.lanes, sequence = plan.padded_seq / lanes;
  const double matrix = lanes * sequence * (sequence + 1) / 2.0;
  // A row of n beats takes `least` cycles, where it does `passes` of them.
  const auto short_rows = [&](int least, int passes) {
    int waits = 0;
    for (int n = 1; n <= sequence; ++n) waits += std::max(0, least - passes * n);
    return static_cast<double>(lanes * waits);
  };
  double waits = matrix * (std::min(lanes, 8) / 2 - 1) + 2 * short_rows(7, 1);            // exp; maxima and sums
  if (back) waits += 2 * lanes * matrix + matrix + short_rows(8, 2) + short_rows(11, 2);  // D, two cycles a beat; dS
  // Loops whose scalar instructions take longer than few beats: over features (of scores) and rows, and what stores
  // sums.
  const int scores = back ? 2 : 1, sums = back ? 3 : 1;
  const double features =
      static_cast<double>(m.hidden) / m.heads / rows_per_head(m.heads, m.hidden / m.heads, plan.wafer.rows);
  for (int n = 1; n <= sequence; ++n) {
    waits += scores * features * std::max(0.0, kLoop - lanes * n) + sums * lanes * std::max(0.0, kLoop - features * n);
  }
  waits += sums * features * std::max(0.0, kLoop - sequence);
  const int group = rows_per_head(m.heads, m.hidden / m.heads, plan.wafer.rows);
  if (group > 1) waits += (back ? 2 : 1) * (matrix * lanes + kHop * sequence * group);  // all-reduce
  const double kernels = kernels_called;
  return waits * kernels / (back ? kBackKernels : kKernels) + kernels * (35 + 2 * sequence);
}

}  // namespace weft
