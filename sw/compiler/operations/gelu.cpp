#include "sw/compiler/lower/lower.hpp"

namespace weft {
namespace {

class GeluLowering : private LoweringTools {
 public:
  explicit GeluLowering(const LoweringTools& tools) : LoweringTools(tools) {}

  void lower(const Step& step);
};

void GeluLowering::lower(const Step& step) {
  const NetworkOperation& from = graph_.op(step);
  const int u = address(from.in[0]);
  OpBuilder builder = op(step.name);
  if (step.kind == Step::Kind::Forward) {
    builder.call("gelu", {{"u", u}, {"g", address(from.out[0])}});
  } else {
    builder.call("gelu_back",
                 {{"u", u}, {"dg", gradient_address(from.out[0])}, {"scratch", memory_.at("gelu_scratch")}});
  }
  add(builder);
}

}  // namespace

void gelu_lowering(const LoweringTools& tools, const Step& step) { GeluLowering(tools).lower(step); }

}  // namespace weft
