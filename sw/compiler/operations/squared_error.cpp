#include "sw/compiler/lower/lower.hpp"

namespace weft::compiler {
namespace {

class SquaredErrorLowering : private LoweringTools {
 public:
  explicit SquaredErrorLowering(const LoweringTools& tools) : LoweringTools(tools) {}

  void lower(const network::Step& step) {
    OpBuilder builder = op(step.name);
    const int outputs = address(graph_.op(step).in[0]);
    const bool forward = step.kind == network::Step::Kind::Forward;
    builder.call(forward ? "squared_error" : "squared_error_back",
                 {{"outputs", outputs}, {"beside", memory_.dys(outputs)}});
    forward ? returns_loss(builder) : clear(builder, step);
    add(builder);
  }
  static void constants(assembler::Constants& constants, const KernelShape& shape) {
    constants.insert({{"NUMBER_COUNT", shape.memory.class_table},
                      {"NUMBER_HIGH", shape.memory.label},
                      {"NUMBER_LOW", shape.memory.label_low},
                      {"NUMBER_VALID", shape.memory.valid}});
  }
};

}  // namespace

const OperationLowering& squared_error_lowering() {
  static constexpr OperationLowering lowering{
      .lower = [](const LoweringTools& tools, const network::Step& step) { SquaredErrorLowering(tools).lower(step); },
      .constants = SquaredErrorLowering::constants};
  return lowering;
}

}  // namespace weft::compiler
