#include "sw/compiler/lower.hpp"

#include <fmt/format.h>

#include "sw/base/refusal.hpp"

namespace weft {

Lowering::Lowering(const ModelShape& model, const WaferShape& wafer, const Graph& graph,
                   std::shared_ptr<const Spaces> spaces, const MemoryPlan& memory,
                   const std::vector<TensorInfo>& tensors, std::shared_ptr<const std::vector<bool>> kept,
                   std::shared_ptr<const std::vector<bool>> trained, const Program& program)
    : model_(model),
      wafer_(wafer),
      graph_(graph),
      held_(std::move(spaces)),
      spaces_(*held_),
      memory_(memory),
      tensors_(tensors),
      kept_(std::move(kept)),
      trained_(std::move(trained)),
      program_(program) {}

std::uint64_t Lowering::offset(const NetworkOperation& op, std::size_t tensor) const {
  return tensors_[static_cast<std::size_t>(op.tensors[tensor])].offset;
}

std::vector<Window> Lowering::windows_of(const std::vector<Reached>& arrays) const {
  return windows(arrays, memory_.tokens_per_column, 1 << wafer_.row_shift());
}

std::vector<Reached> Lowering::reached(const std::vector<Input>& inputs) {
  std::vector<Reached> arrays;
  for (const Input& in : inputs) arrays.push_back({in.address, in.space.slots()});
  return arrays;
}

int Lowering::table(const Space& space) const {
  if (&space == &spaces_.hidden) return memory_.table_hidden;
  if (&space == &spaces_.filter) return memory_.table_filter;
  if (&space == &spaces_.vocab) return memory_.table_vocab;
  return memory_.table_head;
}

void Lowering::lower(const Step& step) {
  using Kind = Step::Kind;
  switch (step.kind) {
    case Kind::Embed:
      return embedding(step);
    case Kind::Norm:
      return norm(step);
    case Kind::Affine:
      return affine(step);
    case Kind::Linear:
      return linear(step);
    case Kind::Gelu:
    case Kind::GeluBack:
      return gelu(step);
    case Kind::Rotary:
    case Kind::RotaryBack:
      return rotary(step);
    case Kind::Attention:
      return attention(step);
    case Kind::Loss:
      return loss(step);
    case Kind::LossBack:
      return loss_back(step);
    case Kind::WeightGradient:
      return weight_gradient(step);
    case Kind::InputGradient:
      return input_gradient(step);
    case Kind::AttentionBack:
      return attention_back(step);
    case Kind::ScaleGradient:
      return scale_gradient(step);
    case Kind::NormBack:
      return norm_back(step);
    case Kind::EmbedGradient:
      return embedding_gradient(step);
    case Kind::Logits:
      return logits(step);
    case Kind::Flags:
      return flags(step);
  }
}

}  // namespace weft
