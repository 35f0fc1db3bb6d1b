#include "sw/compiler/model/dropout.hpp"

#include <algorithm>

#include "sw/compiler/lower/lower.hpp"

namespace weft::compiler {
namespace {

class DropoutLowering : private LoweringTools {
 public:
  explicit DropoutLowering(const LoweringTools& tools) : LoweringTools(tools) {}

  void lower(const network::Step& step);
};

/// Both directions are one kernel: the gradient passes where the value did, times the same factor.
void DropoutLowering::lower(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  const bool forward = step.kind == network::Step::Kind::Forward, adds = forward && from.add >= 0;
  const bool hidden = &space(from.in[0]) == &spaces_.hidden;
  const int in = from.in[0], out = from.out[0];
  const DropoutNumbers site = site_numbers(from.site);
  const DropoutFactors factors = dropout_factors(from.p);
  const int x = forward ? address(in) : gradient_address(out), y = forward ? address(in) : gradient_address(in);
  OpBuilder builder = op(step.name);
  builder.call("dropout_mix", {{"c0", site[0]}, {"c1", site[1]}, {"c2", site[2]}, {"c3", site[3]}});
  builder.call("dropout", {{"x", x},
                           {"y", y},
                           {"sum", adds ? address(from.add) : y},
                           {"to", adds ? address(out) : y},
                           {"below", factors.below ^ kOneBf16},
                           {"factor", factors.factor},
                           {"hi", factors.hi ^ kOneBf16},
                           {"lo", factors.lo},
                           {"table", hidden ? memory_.drop_hidden : memory_.drop_filter},
                           {"count", hidden ? MemoryPlan::kCntHidden : MemoryPlan::kCntFilter},
                           {"share", adds ? kOneBf16 : 0}});
  add(builder);
}

}  // namespace

const OperationLowering& dropout_lowering() {
  static constexpr OperationLowering lowering{
      .lower = [](const LoweringTools& tools, const network::Step& step) { DropoutLowering(tools).lower(step); },
      .constants =
          [](assembler::Constants& constants, const KernelShape& shape) {
            if (shape.memory.drop_flag == 0) return;
            constants.insert({{"DROP_FLAG", shape.memory.drop_flag},
                              {"DROP_KEYS", shape.memory.drop_keys},
                              {"DROP_NUMBERS", shape.memory.drop_numbers},
                              {"DROP_MIXED", shape.memory.drop_mixed},
                              {"DROP_AT_ONCE", std::max(1, machine::WaferShape::kRDepth * shape.wafer.lanes /
                                                               shape.memory.tokens_per_column)}});
          }};
  return lowering;
}

}  // namespace weft::compiler
