#include "host/planning/estimate/traffic.hpp"

#include <algorithm>
#include <numeric>

#include "host/planning/estimate/lines.hpp"
#include "sw/compiler/stream/stream_counts.hpp"

namespace weft::planning {

OpTraffic::OpTraffic(const compiler::Op& op, const machine::WaferShape& wafer)
    : weights(static_cast<std::size_t>(wafer.rows)), lines(StreamLines::count(op.descriptor)) {
  commands = op.commands.size() + lines;
  if (op.descriptor.empty()) return;
  if (op.descriptor.values ==
      compiler::StreamDescriptor::Values::Indices) {  // every index returns a sum, and the compiler has counted them
    weights.assign(op.returned.begin(), op.returned.end());
  } else {
    const compiler::StreamCounts counts(op.descriptor);
    weights.assign(counts.elements.begin(), counts.elements.end());
  }
}

std::uint64_t OpTraffic::messages() const { return std::accumulate(weights.begin(), weights.end(), commands); }

std::uint64_t OpTraffic::fullest_valve(const machine::WaferShape& wafer) const {
  std::uint64_t most = 0;
  for (int v = 0; v < wafer.valves; ++v) {
    const auto first = weights.begin() + v * wafer.rows / wafer.valves,
               last = weights.begin() + (v + 1) * wafer.rows / wafer.valves;
    most = std::max(most, std::accumulate(first, last, std::uint64_t{0}));
  }
  return most + commands;
}

std::uint64_t token_messages(const compiler::Plan& plan) {
  const auto tokens = static_cast<std::uint64_t>(plan.tokens_per_column);
  const std::uint64_t positions = plan.model.vsl && !plan.position_index.empty() ? 1 + tokens : 0;
  // ids, labels, validity, documents, segments, low parts of numbers, labels and weights of a further loss
  const std::uint64_t words = 3 + (plan.sends_documents ? 1 : 0) + (plan.segment_index.empty() ? 0 : 1) +
                              (plan.losses.back() == compiler::Labels::Numbers ? 1 : 0) + 2 * (plan.losses.size() - 1);
  const std::uint64_t each = 2 + words * tokens + positions;
  return (static_cast<std::uint64_t>(plan.wafer.cols) * each + 1) * static_cast<std::uint64_t>(plan.wafer.row_groups);
}

}  // namespace weft::planning
