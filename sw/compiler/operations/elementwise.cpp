#include <algorithm>
#include <string>

#include "sw/base/bf16.hpp"
#include "sw/compiler/lower/lower.hpp"
#include "sw/network/function.hpp"

namespace weft::compiler {
namespace {

class ElementwiseLowering : private LoweringTools {
 public:
  explicit ElementwiseLowering(const LoweringTools& tools) : LoweringTools(tools) {}

  void lower(const network::Step& step);

  /// Features that the kernels treat together: two vectors of them in R, and of scratch. Backward does not need the
  /// output, whose memory is the scratch if a row has more than one feature.
  static int at_once(const machine::WaferShape& wafer, const Spaces& spaces, std::int64_t tokens) {
    return static_cast<int>(std::clamp<std::int64_t>(machine::WaferShape::kRDepth / 2 * wafer.lanes / tokens, 1,
                                                     std::max(1, spaces.filter.slots() / 2)));
  }

 private:
  /// The value of a kernel's argument.
  int value(const network::NetworkOperation& from, std::string_view argument) const;
};

int ElementwiseLowering::value(const network::NetworkOperation& from, std::string_view argument) const {
  const std::uint16_t hi = nearest_bf16(from.by);
  if (argument == "x") return address(from.in[0]);
  if (argument == "x2") return address(from.in[1]);
  if (argument == "y") return address(from.out[0]);
  if (argument == "dy") return gradient_address(from.out[0]);
  if (argument == "dx2") return gradient_address(from.in[1]);
  if (argument == "scratch") return memory_.at("elementwise_scratch");
  if (argument == "hi") return hi;
  if (argument == "lo") return nearest_bf16(from.by - as_float(widen(hi)));
  return &space(from.out[0]) == &spaces_.hidden ? MemoryPlan::kCntHidden : MemoryPlan::kCntFilter;
}

void ElementwiseLowering::lower(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  const bool forward = step.kind == network::Step::Kind::Forward;
  std::vector<Argument> arguments;
  for (const std::string& name : forward ? from.function->arguments : from.function->backward)
    arguments.push_back({name, value(from, name)});
  OpBuilder builder = op(step.name);
  builder.call(from.function->name + (forward ? "" : "_back"), arguments);
  add(builder);
}

}  // namespace

const OperationLowering& elementwise_lowering() {
  static constexpr OperationLowering lowering{
      .lower = [](const LoweringTools& tools, const network::Step& step) { ElementwiseLowering(tools).lower(step); },
      .constants =
          [](assembler::Constants& constants, const KernelShape& shape) {
            constants["AT_ONCE"] =
                ElementwiseLowering::at_once(shape.wafer, shape.spaces, shape.memory.tokens_per_column);
          },
      .scratch_slots = [](const machine::WaferShape& wafer, const Spaces& spaces,
                          std::int64_t tokens) { return 2 * ElementwiseLowering::at_once(wafer, spaces, tokens); }};
  return lowering;
}

}  // namespace weft::compiler
