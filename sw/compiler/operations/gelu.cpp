#include <algorithm>

#include "sw/compiler/lower/lower.hpp"

namespace weft::compiler {
namespace {

class GeluLowering : private LoweringTools {
 public:
  explicit GeluLowering(const LoweringTools& tools) : LoweringTools(tools) {}

  void lower(const network::Step& step);

  /// Features that the kernels treat together: two vectors of them in R, and of scratch. Backward does not need GELU's
  /// output, whose memory is the scratch if a row has more than one feature.
  static int at_once(const machine::WaferShape& wafer, const Spaces& spaces, std::int64_t tokens) {
    return static_cast<int>(std::clamp<std::int64_t>(machine::WaferShape::kRDepth / 2 * wafer.lanes / tokens, 1,
                                                     std::max(1, spaces.filter.slots() / 2)));
  }
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

const OperationLowering& gelu_lowering() {
  static constexpr OperationLowering lowering{
      .lower = [](const LoweringTools& tools, const network::Step& step) { GeluLowering(tools).lower(step); },
      .constants =
          [](assembler::Constants& constants, const KernelShape& shape) {
            constants["GELU_AT_ONCE"] =
                GeluLowering::at_once(shape.wafer, shape.spaces, shape.memory.tokens_per_column);
          },
      .scratch_slots = [](const machine::WaferShape& wafer, const Spaces& spaces,
                          std::int64_t tokens) { return 2 * GeluLowering::at_once(wafer, spaces, tokens); }};
  return lowering;
}

}  // namespace weft::compiler
