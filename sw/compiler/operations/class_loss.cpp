#include "sw/compiler/lower/lower.hpp"

namespace weft::compiler {
namespace {

class ClassLossLowering : private LoweringTools {
 public:
  explicit ClassLossLowering(const LoweringTools& tools) : LoweringTools(tools) {}

  void lower(const network::Step& step) {
    OpBuilder builder = op(step.name);
    const int scores = address(graph_.op(step).in[0]);
    const bool forward = step.kind == network::Step::Kind::Forward;
    builder.call(forward ? "class_loss" : "class_loss_back",
                 {{"scores", scores}, {"beside", memory_.dys(scores)}, {"table", memory_.class_table}});
    forward ? returns_loss(builder) : clear(builder, step);
    add(builder);
  }
};

}  // namespace

const OperationLowering& class_loss_lowering() {
  static constexpr OperationLowering lowering{
      .lower = [](const LoweringTools& tools, const network::Step& step) { ClassLossLowering(tools).lower(step); }};
  return lowering;
}

}  // namespace weft::compiler
