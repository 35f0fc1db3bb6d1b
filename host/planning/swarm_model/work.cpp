#include "host/planning/swarm_model/work.hpp"

#include <algorithm>
#include <numeric>

#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/compiler/stream/stream_counts.hpp"

namespace weft::planning::swarm_model {

static_assert(kFrameDown == compiler::Expansion::kPiece * kWeightBytes &&
              kFrameUp == swarmx::kPartValues * kValueBytes);

Work work_of(const compiler::Plan& plan, const std::vector<double>& seconds, bool train) {
  Work work;
  std::vector<bool> read(plan.tensors.size());
  for (std::size_t index = 0; index < (train ? plan.ops.size() : plan.forward_ops); ++index) {
    const compiler::Op& op = plan.ops[index];
    const compiler::StreamCounts counts(op.descriptor);
    const auto elements = std::accumulate(counts.elements.begin(), counts.elements.end(), std::uint64_t{0});
    WorkOp one{.messages = static_cast<double>(op.commands.size() + counts.lines + elements),
               .seconds = seconds.at(index),
               .sum = plan.wafer.row_groups > 1};
    if (op.descriptor.values == compiler::StreamDescriptor::Values::Weights)
      one.down = kWeightBytes * static_cast<double>(elements);
    if (op.returns == compiler::Returns::Gradient)
      one.up = kValueBytes * static_cast<double>(swarmx::gradient_words(op));
    if (op.returns == compiler::Returns::Loss) one.up = kSumBytes * static_cast<double>(swarmx::kLossFields);
    for (const int tensor : op.tensors) {
      const auto number = static_cast<std::size_t>(tensor);
      if (read[number]) continue;
      read[number] = true;
      one.parameters += static_cast<double>(plan.tensors[number].size);
    }
    work.push_back(one);
  }
  return work;
}

WorkOp total(const Work& work) {
  WorkOp all;
  for (const WorkOp& op : work) {
    all.down += op.down;
    all.messages += op.messages;
    all.seconds += op.seconds;
    all.up += op.up;
    all.parameters += op.parameters;
    all.sum = all.sum || op.sum;
  }
  return all;
}

Work coarse(const Work& work, std::size_t ops) {
  const std::size_t groups = std::min(ops, work.size());
  Work result;
  for (std::size_t g = 0; g < groups; ++g)
    result.push_back(total(Work(work.begin() + static_cast<std::ptrdiff_t>(g * work.size() / groups),
                                work.begin() + static_cast<std::ptrdiff_t>((g + 1) * work.size() / groups))));
  return result;
}

}  // namespace weft::planning::swarm_model
