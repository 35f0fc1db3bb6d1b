#include "sw/compiler/lower/lower.hpp"

namespace weft::compiler {

Lowering::Lowering(const Layout& layout, std::shared_ptr<const Spaces> spaces,
                   std::shared_ptr<const std::vector<bool>> kept, std::shared_ptr<const std::vector<bool>> trained,
                   const assembler::Program* program)
    : Lowering(layout, std::move(spaces), std::move(kept), std::move(trained), program, std::make_unique<Lowered>()) {}

Lowering::Lowering(const Layout& layout, std::shared_ptr<const Spaces> spaces,
                   std::shared_ptr<const std::vector<bool>> kept, std::shared_ptr<const std::vector<bool>> trained,
                   const assembler::Program* program, std::unique_ptr<Lowered> made)
    : LoweringTools(layout, std::move(spaces), std::move(kept), std::move(trained), program, *made),
      made_(std::move(made)) {}

Kernels Lowering::kernels_of(const Layout& layout) {
  Lowering lowering(layout, std::make_shared<const Spaces>(layout.spaces), nullptr, nullptr, nullptr);
  std::vector<network::Step> steps = layout.schedule.steps;
  if (layout.purpose == Purpose::Generation || layout.purpose == Purpose::Logits)
    steps.insert(steps.end(), layout.graph.training.steps.begin(), layout.graph.training.steps.end());
  for (const network::Step& step : steps) lowering.lower(step), lowering.made_->ops.clear();
  return lowering.made_->kernels;
}

void Lowering::lower(const network::Step& step) {
  switch (step.kind) {
    case network::Step::Kind::Logits:
      return logits(step);
    case network::Step::Kind::Flags:
      return flags(step);
    default:
      return lowering_of(graph_.op(step).kind).lower(*this, step);
  }
}

/// Computed as gradients: each logit times the validity, summed over all positions. One position is valid, so each sum
/// is its logit, bit for bit.
void Lowering::logits(const network::Step& step) {
  const Input whole{space(step.value), address(step.value), {0, 1, 0}};
  const std::vector<Input> blocks = in_blocks({&whole, 1});
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    const int at = blocks[block].address;
    OpBuilder builder = op(part_name(step.name, block));
    builder.call("gradient_local", {{"x", at}, {"slots", 1}, {"dy", memory_.valid}, {"buffers", memory_.dys(at)}});
    StreamDescriptor descriptor;  // logits have no mask
    descriptor.values = StreamDescriptor::Values::Indices;
    descriptor.outputs = std::make_shared<const Space>(Space::interleaved({0}, wafer_.rows));
    descriptor.lines = {line(blocks[block], at)};
    add(builder.descriptor(std::move(descriptor), Returns::Logits));
  }
}

void Lowering::flags(const network::Step& step) {
  OpBuilder builder = op(step.name);
  builder.call("status", {});
  builder.returns(Returns::Flags, std::vector<std::uint32_t>(static_cast<std::size_t>(wafer_.rows), 1));
  add(builder);
}

}  // namespace weft::compiler
