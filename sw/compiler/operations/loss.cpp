#include "sw/base/bf16.hpp"
#include "sw/compiler/lower/lower.hpp"
#include "sw/compiler/placement/blocks.hpp"
#include "sw/compiler/program/kernel_constants.hpp"

namespace weft::compiler {
namespace {

class LossLowering : private LoweringTools {
 public:
  explicit LossLowering(const LoweringTools& tools) : LoweringTools(tools) {}

  void lower(const network::Step& step) {
    step.kind == network::Step::Kind::Forward ? forward(step) : input_gradient(step);
  }
  static void constants(assembler::Constants& constants, const KernelShape& shape);

 private:
  void forward(const network::Step& step);
  void input_gradient(const network::Step& step);
};

void LossLowering::forward(const network::Step& step) {
  OpBuilder builder = op(step.name);
  const int logits = address(graph_.op(step).in[0]);
  builder.call("loss", {{"logits", logits}, {"beside", memory_.dys(logits)}});
  std::vector<std::uint32_t> words(static_cast<std::size_t>(wafer_.rows), 0);
  words[0] = static_cast<std::uint32_t>(2 * wafer_.cols * memory_.tokens_per_column);
  builder.returns(Returns::Loss, words);
  add(builder);
}

void LossLowering::input_gradient(const network::Step& step) {
  OpBuilder builder = op(step.name);
  builder.call("loss_back", {{"logits", address(step.value)}});
  for (const int v : step.clears)
    builder.call("clear", {{"first", gradient_address(v)},
                           {"words", space(v).slots() * memory_.tokens_per_column / wafer_.lanes}});
  add(builder);
}

void LossLowering::constants(assembler::Constants& constants, const KernelShape& shape) {
  const ModelShape& model = shape.model;
  constants.insert({{"LABELS", shape.memory.label},
                    {"VALID", shape.memory.valid},
                    {"LOSS_SCALE", shape.memory.loss_scale},
                    {"BLOCK_SLOTS", block_slots(shape.wafer)}});
  if (model.label_smoothing == 0) return;
  constants["MINUS_KEPT"] = nearest_bf16(1.0 - model.label_smoothing) ^ 0x8000;
  split(constants, "REST", model.smoothing() / model.vocab);
}

}  // namespace

const OperationLowering& loss_lowering() {
  static constexpr OperationLowering lowering{
      .lower = [](const LoweringTools& tools, const network::Step& step) { LossLowering(tools).lower(step); },
      .constants = LossLowering::constants};
  return lowering;
}

}  // namespace weft::compiler
