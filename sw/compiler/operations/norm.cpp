#include <algorithm>
#include <optional>

#include "sw/base/bf16.hpp"
#include "sw/compiler/lower/lower.hpp"
#include "sw/compiler/program/kernel_constants.hpp"
#include "sw/machine/gather.hpp"

namespace weft::compiler {
namespace {

class NormLowering : private LoweringTools {
 public:
  explicit NormLowering(const LoweringTools& tools) : LoweringTools(tools) {}

  void lower(const network::Step& step) {
    if (step.kind == network::Step::Kind::Statistics) return statistics(step);
    if (step.kind == network::Step::Kind::Forward) return forward(step);
    step.kind == network::Step::Kind::WeightGradient ? weight_gradient(step) : input_gradient(step);
  }
  static void constants(assembler::Constants& constants, const KernelShape& shape);

 private:
  void statistics(const network::Step& step);
  void forward(const network::Step& step);
  void weight_gradient(const network::Step& step);
  void input_gradient(const network::Step& step);
  /// Returns true if a norm's scales and shifts are summed faster several slots at a time, and the program has the
  /// kernel. The indices of a single slot arrive while the previous slot is summed, 7 cycles an entry; those of
  /// NORM_SLOTS slots arrive before any slot is summed.
  bool sums_together() const;
  /// Returns true if gradients are returned for all of the tensor.
  bool is_trained(int tensor) const;
  /// A norm's scale, slot by slot, of the array at the kernel's base.
  StreamDescriptor scale_descriptor(const network::NetworkOperation& norm) const;
  /// The local index of the always-one feature, if one base reaches it and xhat; else nullopt.
  std::optional<int> ones_beside(int xhat) const;
  /// A norm's shift as the weight of the always-one feature, if it has a shift and one base reaches both arrays.
  std::optional<StreamDescriptor::Own> shift_beside(const network::NetworkOperation& norm, int xhat) const;
  static bool has_shift(const network::NetworkOperation& norm) { return norm.tensors.size() > 1; }
};

StreamDescriptor NormLowering::scale_descriptor(const network::NetworkOperation& norm) const {
  StreamDescriptor descriptor = descriptor_of(spaces_.hidden);
  descriptor.own.push_back({.local = 0, .fixed = false, .offset = offset(norm, 0)});
  return descriptor;
}

std::optional<int> NormLowering::ones_beside(int xhat) const {
  const std::vector<Window> bases = windows_of({{xhat, spaces_.hidden.slots()}, {memory_.ones, 1}});
  if (bases.size() > 1 || bases[0].base != xhat) return std::nullopt;
  return local(memory_.ones, xhat);
}

std::optional<StreamDescriptor::Own> NormLowering::shift_beside(const network::NetworkOperation& norm, int xhat) const {
  const std::optional<int> ones = ones_beside(xhat);
  if (!ones || !has_shift(norm)) return std::nullopt;
  return StreamDescriptor::Own{.local = *ones, .fixed = true, .offset = offset(norm, 1)};
}

bool NormLowering::sums_together() const {
  const bool room = program_ == nullptr || program_->kernel("gradient_norm") != nullptr;
  return room &&
         2 * ((wafer_.rows + wafer_.valves - 1) / wafer_.valves) <= 5 * memory_.tokens_per_column / wafer_.lanes;
}

bool NormLowering::is_trained(int tensor) const {
  if (trained_ == nullptr) return true;
  const TensorInfo& t = tensors_[static_cast<std::size_t>(tensor)];
  const auto first = trained_->begin() + static_cast<std::ptrdiff_t>(t.offset);
  return std::all_of(first, first + static_cast<std::ptrdiff_t>(t.size), [](bool kept) { return kept; });
}

void NormLowering::statistics(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  OpBuilder builder = op(step.name);
  std::vector<Argument> arguments = {{"x", address(from.in[0])},
                                     {"xhat", memory_.at(network::xhat_of(from))},
                                     {"rstd", memory_.at(network::rstd_of(from))}};
  if (memory_.positions > 0 && from.centers) {
    builder.call("layernorm_one", arguments);
  } else {
    arguments.insert(arguments.end(), {{"upper", memory_.dys_above}, {"lower", memory_.dys_below}});
    builder.call(from.centers ? "layernorm" : "rmsnorm", arguments);
  }
  add(builder);
}

void NormLowering::forward(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  const int xhat = memory_.at(network::xhat_of(from));
  OpBuilder builder = op(step.name);
  for (const int tensor : from.tensors) builder.reads(tensor);
  std::vector<Argument> arguments = {{"xhat", xhat}, {"y", address(from.out[0])}, {"slots", spaces_.hidden.slots()}};
  StreamDescriptor descriptor = scale_descriptor(from);
  const std::optional<int> ones = ones_beside(xhat);
  if (ones || !has_shift(from)) {
    if (const auto shift = shift_beside(from, xhat)) descriptor.own.push_back(*shift);
    if (ones && has_short_vectors(spaces_.hidden, "affine_interleaved")) {
      needs("affine");
      interleave(descriptor, {*ones});
      arguments.push_back({"each", descriptor.interleave->each});
      arguments.push_back({"entries", descriptor.interleave->each * beats()});
    }
    builder.call(descriptor.interleave ? "affine_interleaved" : "affine", arguments);
  } else {
    descriptor.own.push_back({.local = 0, .fixed = true, .offset = offset(from, 1), .line = 1});
    arguments.push_back({"ones", memory_.ones});
    builder.call("affine_2", arguments);
  }
  add(builder.descriptor(std::move(descriptor)));
}

void NormLowering::weight_gradient(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  const auto add_of = [&](std::string name, int x, StreamDescriptor descriptor) {
    OpBuilder builder = op(std::move(name));
    const bool together = descriptor.together > 1;
    builder.call(together ? "gradient_norm" : "gradient_local", {{together ? "xhat" : "x", x},
                                                                 {"slots", spaces_.hidden.slots()},
                                                                 {"dy", gradient_address(from.out[0])},
                                                                 {"buffers", memory_.dys(x)}});
    descriptor.values = StreamDescriptor::Values::Indices;
    add(builder.descriptor(std::move(descriptor)));
  };
  const int xhat = memory_.at(network::xhat_of(from));
  StreamDescriptor scale = scale_descriptor(from);
  const auto shift = shift_beside(from, xhat);
  if (shift) scale.own.push_back(*shift);
  if (shift && sums_together() && is_trained(from.tensors[0]) && is_trained(from.tensors[1]))
    scale.together = machine::kNormSlots, needs("gradient_local");
  add_of(step.name, xhat, std::move(scale));
  if (shift || !has_shift(from)) return;
  StreamDescriptor ones = descriptor_of(spaces_.hidden);
  ones.own.push_back({.local = 0, .fixed = true, .offset = offset(from, 1)});
  add_of(from.name + ".db", memory_.ones, std::move(ones));
}

void NormLowering::input_gradient(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  const int dy = gradient_address(from.out[0]), xhat = memory_.at(network::xhat_of(from)), beside = memory_.dys(xhat);
  OpBuilder builder = op(step.name);
  builder.reads(from.tensors[0]);
  builder.call(network::replaces_gradient(graph_.network, from) ? "layernorm_back_in_place"
               : from.centers                                   ? "layernorm_back"
                                                                : "rmsnorm_back",
               {{"dy", dy},
                {"dyg", memory_.at("delta_scaled")},
                {"slots", spaces_.hidden.slots()},
                {"xhat", xhat},
                {"rstd", memory_.at(network::rstd_of(from))},
                {"dx", gradient_address(from.in[0])},
                {"upper", beside},
                {"lower", memory_.dys_above + memory_.dys_below - beside}});
  add(builder.descriptor(scale_descriptor(from)));
}

void NormLowering::constants(assembler::Constants& constants, const KernelShape& shape) {
  constants.insert({{"NORM_SLOTS", machine::kNormSlots}, {"LN_EPS", nearest_bf16(shape.model.ln_eps)}});
  split(constants, "INV_HIDDEN", 1.0 / shape.model.hidden);
}

}  // namespace

const OperationLowering& norm_lowering() {
  static constexpr OperationLowering lowering{
      .lower = [](const LoweringTools& tools, const network::Step& step) { NormLowering(tools).lower(step); },
      .constants = NormLowering::constants};
  return lowering;
}

}  // namespace weft::compiler
