#include "host/planning/estimate/stream_beats.hpp"

#include <algorithm>

#include "host/planning/estimate/lines.hpp"
#include "host/planning/estimate/norm_gradient.hpp"
#include "host/planning/estimate/stream.hpp"
#include "host/planning/estimate/sum_beats.hpp"

namespace weft {
namespace {

/// Beats for the sums of an output with `indices` indices, in groups of at most `group`.
std::uint64_t sum_beats(std::uint64_t lanes, std::uint64_t indices, std::uint64_t group) {
  return indices / group * reduce_beats(lanes, group) + reduce_beats(lanes, indices % group);
}

}  // namespace

std::uint64_t stream_beats(const StreamCall& call, const WaferShape& wafer, int tokens, int row, std::uint64_t taps) {
  if (call.kernel == "gradient_norm") return norm_gradient_beats(call, wafer, tokens, taps);
  const Sweep& sweep = *call.sweep;
  const auto lanes = static_cast<std::uint64_t>(wafer.lanes), vector = static_cast<std::uint64_t>(tokens) / lanes;
  const std::uint64_t lines = SweepLines::count(sweep);
  const bool local = call.kernel == "gradient_local";
  const std::uint64_t homes = local ? 0 : static_cast<std::uint64_t>(wafer.rows);  // psum loads home counts
  if (is_gemm_kernel(call)) {
    const std::uint64_t outputs = static_cast<std::uint64_t>(sweep.outputs->features());
    const bool in_turn = call.kernel.ends_with("_in_turn");
    return homes + taps * vector + outputs * vector * lanes / 2 + (in_turn ? 0 : (2 * outputs + 1) * vector);
  }
  std::uint64_t outputs = lines, beats = homes + taps * vector + outputs * vector;
  if (!sweep.own.empty()) outputs = static_cast<std::uint64_t>(sweep.outputs->count(row));
  const auto most = local ? 16U : static_cast<unsigned>(call.argument("group")) % 16;
  const std::uint64_t group = most == 0 ? 16 : most;
  if (outputs == 0) return beats;
  const std::uint64_t fewer = taps / outputs, one_more = taps % outputs;  // one more: the row has that bias
  return beats + (outputs - one_more) * sum_beats(lanes, fewer, group) + one_more * sum_beats(lanes, fewer + 1, group);
}

}  // namespace weft
