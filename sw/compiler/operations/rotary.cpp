#include "sw/compiler/lower/lower.hpp"

namespace weft::compiler {
namespace {

class RotaryLowering : private LoweringTools {
 public:
  explicit RotaryLowering(const LoweringTools& tools) : LoweringTools(tools) {}

  void lower(const network::Step& step);
};

void RotaryLowering::lower(const network::Step& step) {
  const bool back = step.kind == network::Step::Kind::InputGradient;
  const network::NetworkOperation& from = graph_.op(step);
  const int each = memory_.positions > 0 ? 1 : 0;
  OpBuilder builder = op(step.name);
  for (const int v : from.out)
    per_head(builder, {{each > 0 ? "rotary_one" : "rotary",
                        {{"x", back ? gradient_address(v) : address(v), per_position(v)}},
                        {{"cos", memory_.rotary_cos, each},
                         {"sin", back ? memory_.rotary_minus : memory_.rotary_sin, each},
                         {"minus", back ? memory_.rotary_sin : memory_.rotary_minus, each},
                         {"count", memory_.rotary_count}}}});
  add(builder);
}

}  // namespace

const OperationLowering& rotary_lowering() {
  static constexpr OperationLowering lowering{
      .lower = [](const LoweringTools& tools, const network::Step& step) { RotaryLowering(tools).lower(step); },
      .constants =
          [](assembler::Constants& constants, const KernelShape& shape) {
            if (shape.memory.positions > 0) constants["TURNS"] = shape.memory.turns;
          }};
  return lowering;
}

}  // namespace weft::compiler
