#include "sw/compiler/lower/lower.hpp"

namespace weft::compiler {
namespace {

class GeluLowering : private LoweringTools {
 public:
  explicit GeluLowering(const LoweringTools& tools) : LoweringTools(tools) {}

  void lower(const network::Step& step);
};

void GeluLowering::lower(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  const int u = address(from.in[0]);
  OpBuilder builder = op(step.name);
  if (step.kind == network::Step::Kind::Forward) {
    builder.call("gelu", {{"u", u}, {"g", address(from.out[0])}});
  } else {
    builder.call("gelu_back",
                 {{"u", u}, {"dg", gradient_address(from.out[0])}, {"scratch", memory_.at("gelu_scratch")}});
  }
  add(builder);
}

}  // namespace

void gelu_lowering(const LoweringTools& tools, const network::Step& step) { GeluLowering(tools).lower(step); }

}  // namespace weft::compiler
