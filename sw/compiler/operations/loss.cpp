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
  if (memory_.token_table > 0)
    builder.call("class_loss", {{"scores", logits}, {"beside", memory_.dys(logits)}, {"table", memory_.token_table}});
  else
    builder.call("loss", {{"logits", logits}, {"beside", memory_.dys(logits)}});
  returns_loss(builder);
  add(builder);
}

void LossLowering::input_gradient(const network::Step& step) {
  OpBuilder builder = op(step.name);
  const int logits = address(step.value);
  if (memory_.token_table > 0)
    builder.call("class_loss_back",
                 {{"scores", logits}, {"beside", memory_.dys(logits)}, {"table", memory_.token_table}});
  else
    builder.call("loss_back", {{"logits", logits}});
  clear(builder, step);
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
