#include "sw/compiler/plan/plan_plausible.hpp"

#include <algorithm>

#include "sw/compiler/placement/blocks.hpp"
#include "sw/compiler/stream/gradient_order.hpp"
#include "sw/compiler/stream/stream_counts.hpp"

namespace weft::compiler {
namespace {

constexpr int kMostLines = 64;                           ///< lines of an output, far more than kernels take
constexpr int kMostEach = machine::WaferShape::kRDepth;  ///< outputs of a group, far more than kernels take

bool has_place_for_tokens(const Plan& plan) {
  const machine::WaferShape& w = plan.wafer;
  const int t = plan.tokens_per_column, parts = w.sequence_columns;
  if (w.rows < 1 || w.rows > machine::WaferShape::kMostRows || w.cols < 1 || w.cols > machine::WaferShape::kMostCols)
    return false;
  if (w.row_groups < 1 || w.row_groups > machine::WaferShape::kMostRows / w.rows) return false;
  if (parts < 1 || parts > w.cols || (parts > 1 && w.cols % parts == 1)) return false;
  if (plan.model.seq < 1 || plan.model.micro_batch < 1) return false;
  if (plan.padded_seq < 1 || t < plan.padded_seq || t > 65535 || t % plan.padded_seq != 0) return false;
  return std::int64_t{plan.padded_seq} * parts >= plan.model.seq &&
         std::int64_t{t / plan.padded_seq} * (w.cols / parts) >= plan.model.micro_batch;
}

bool is_descriptor(const Plan& plan, const Op& op) {
  const StreamDescriptor& descriptor = op.descriptor;
  if (descriptor.values > StreamDescriptor::Values::Indices) return false;
  const auto copies = [](const HeadCopies& c) {
    return c.features >= 1 && c.times >= 1 && c.times <= HeadCopies::kMost;
  };
  if (!copies(descriptor.outputs_copies)) return false;
  for (const std::vector<StreamDescriptor::Input>& inputs : descriptor.lines)
    if (!std::ranges::all_of(inputs, copies, &StreamDescriptor::Input::copies)) return false;
  const auto line = [](int n) { return n >= 0 && n < kMostLines; };
  if (descriptor.lines.size() > kMostLines || (descriptor.bias && !line(descriptor.bias->line)) ||
      (descriptor.residual && !line(descriptor.residual->line)) ||
      (descriptor.interleave && (descriptor.interleave->each < 1 || descriptor.interleave->each > kMostEach ||
                                 static_cast<int>(descriptor.interleave->ones.size()) != descriptor.lines_of_output() ||
                                 std::ranges::min(descriptor.interleave->ones) < 0)) ||
      (descriptor.interleave && descriptor.interleave->numbered && descriptor.interleave->each > SumOrder::kMostSums) ||
      !std::ranges::all_of(descriptor.own, line, &StreamDescriptor::Own::line))
    return false;
  // Logits: a token's number takes the place of a parameter's.
  const std::uint64_t most = op.returns == Returns::Logits
                                 ? static_cast<std::uint64_t>(std::max(plan.model.vocab, plan.model.classes))
                                 : plan.parameters;
  return parameters_end(descriptor) <= most &&
         (descriptor.kept == nullptr || descriptor.kept->size() == plan.parameters);
}

bool returns_what_it_says(const Plan& plan, const Op& op) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(plan.wafer.rows));
  switch (op.returns) {
    case Returns::Nothing:
      break;
    case Returns::Gradient:
    case Returns::Logits:
      words = StreamCounts(op.descriptor).elements;
      break;
    case Returns::Loss:
      words[0] = static_cast<std::uint32_t>(2 * plan.wafer.cols * plan.tokens_per_column);
      break;
    case Returns::Flags:
      words.assign(words.size(), 1);
      break;
    default:
      return false;
  }
  return op.returned == words;
}

/// One loss, or one of classes and then one of tokens; evaluation and training return all of them.
bool has_losses(const Plan& plan) {
  const auto& losses = plan.losses;
  if (losses.empty() || losses.size() > 2 || std::ranges::max(losses) > Labels::Numbers) return false;
  return losses.size() == 1 || losses == std::vector{Labels::Classes, Labels::Tokens};
}

bool is_op(const Plan& plan, const Op& op) {
  const auto known = [&](int t) { return t >= 0 && static_cast<std::size_t>(t) < plan.tensors.size(); };
  const auto there = [&](const StreamEntry& entry) {
    return entry.source >= StreamEntry::kLiteral || entry.source < plan.parameters;
  };
  if (!std::ranges::all_of(op.tensors, known) || !std::ranges::all_of(op.commands, there) || !is_descriptor(plan, op))
    return false;
  if (!op.descriptor.empty()) StreamReader{op.descriptor};  // throws
  return returns_what_it_says(plan, op);
}

}  // namespace

bool plausible(const std::vector<TensorInfo>& tensors, std::uint64_t parameters) {
  std::uint64_t end = 0;
  for (const TensorInfo& tensor : tensors) {
    std::uint64_t size = 1;
    if (tensor.dims.empty() || tensor.dims.size() > 2 || tensor.roles.size() != tensor.dims.size()) return false;
    for (const int dim : tensor.dims) {
      if (dim < 1) return false;
      size *= static_cast<std::uint64_t>(dim);
    }
    if (tensor.offset != end || tensor.size != size || size > parameters - end) return false;
    if (std::ranges::any_of(tensor.roles, [](network::Role role) { return role > network::Role::Class; })) return false;
    end += size;
  }
  return end == parameters;
}

bool plausible(const Plan& plan, const std::vector<std::shared_ptr<const Space>>& placements) {
  const auto on_rows = [&](const auto& space) { return space->rows() == plan.wafer.rows; };
  if (!has_place_for_tokens(plan) || !std::ranges::all_of(placements, on_rows)) return false;
  if (plan.forward_ops < 1 || plan.forward_ops > plan.ops.size()) return false;
  return plan.token_index.size() == static_cast<std::size_t>(plan.model.vocab) && plan.token_blocks >= 1 &&
         plan.token_blocks <= kMostBlocks &&
         plan.segment_index.size() == static_cast<std::size_t>(plan.model.segments) &&
         plan.class_index.size() == static_cast<std::size_t>(plan.model.classes) && has_losses(plan) &&
         plan.row_constants.size() == static_cast<std::size_t>(plan.wafer.rows) &&
         std::ranges::all_of(plan.ops, [&](const Op& op) { return is_op(plan, op); });
}

}  // namespace weft::compiler
