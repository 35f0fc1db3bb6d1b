#include "sw/compiler/lower/lower.hpp"

#include <fmt/format.h>

#include "sw/base/refusal.hpp"
#include "sw/compiler/placement/blocks.hpp"

namespace weft {

Lowering::Lowering(const Layout& layout, std::shared_ptr<const Spaces> spaces,
                   std::shared_ptr<const std::vector<bool>> kept, std::shared_ptr<const std::vector<bool>> trained,
                   const Program* program)
    : model_(layout.model),
      wafer_(layout.wafer),
      graph_(layout.graph),
      held_(std::move(spaces)),
      spaces_(*held_),
      memory_(layout.memory),
      tensors_(layout.tensors),
      kept_(std::move(kept)),
      trained_(std::move(trained)),
      program_(program) {}

std::set<std::string> Lowering::kernels_of(const Layout& layout) {
  Lowering lowering(layout, std::make_shared<const Spaces>(layout.spaces), nullptr, nullptr, nullptr);
  std::vector<Step> steps = layout.schedule.steps;
  if (layout.purpose == Purpose::Generation)
    steps.insert(steps.end(), layout.graph.training.steps.begin(), layout.graph.training.steps.end());
  for (const Step& step : steps) lowering.lower(step), lowering.ops.clear();
  return lowering.called_;
}

void Lowering::add(OpBuilder& builder) {
  called_.insert(builder.kernels().begin(), builder.kernels().end());
  Op op = builder.take();
  const std::string name = op.name;
  for (int time = 2; !phases_.insert(op.name).second; ++time) op.name = fmt::format("{}.{}", name, time);
  ops.push_back(std::move(op));
}

std::uint64_t Lowering::offset(const NetworkOperation& op, std::size_t tensor) const {
  return tensors_[static_cast<std::size_t>(op.tensors[tensor])].offset;
}

std::vector<Window> Lowering::windows_of(const std::vector<Reached>& arrays) const {
  const int places = 1 << wafer_.row_shift();
  for (const Reached& array : arrays)
    if (array.slots > places)
      throw Refusal("model.network",
                    fmt::format("{}: a linear has {} features of the vocabulary in a row in addition to its logits, "
                                "and an index names {}",
                                model_.network, array.slots, places),
                    fmt::format("use a model.vocab_size of at most {}", wafer_.rows * places));
  return windows(arrays, memory_.tokens_per_column, places);
}

std::vector<Reached> Lowering::reached(const std::vector<Input>& inputs) {
  std::vector<Reached> arrays;
  for (const Input& in : inputs) arrays.push_back({in.address, in.slots()});
  return arrays;
}

std::vector<Lowering::Input> Lowering::in_blocks(std::span<const Input> inputs) const {
  std::vector<Input> list;
  const int slots = block_slots(wafer_);
  for (const Input& in : inputs) {
    const int blocks = &in.space == &spaces_.vocab ? memory_.blocks : 1;
    for (int block = 0; block < blocks && blocks > 1; ++block)
      list.push_back({in.space, in.address + block * slots * memory_.tokens_per_column, in.weights, block * slots,
                      (block + 1) * slots});
    if (blocks == 1) list.push_back(in);
  }
  return list;
}

std::string Lowering::part_name(const std::string& name, std::size_t part) {
  return part == 0 ? name : fmt::format("{}.{}", name, part);
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
