// Linear: a GEMM forward, and its transpose for the input's gradient.
#include "sw/compiler/operations/linear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "sw/base/refusal.hpp"
#include "sw/compiler/lower/lower.hpp"

namespace weft::compiler {
namespace {

class LinearGemm : private LinearTools {
 public:
  explicit LinearGemm(const LoweringTools& tools) : LinearTools(tools) {}

  void forward(const network::Step& step);
  void input_gradient(const network::Step& step);

 private:
  /// y = sum over inputs of W x, plus a bias, plus the array at `residual`.
  void gemm(OpBuilder builder, const std::vector<Input>& inputs, std::uint64_t bias, int residual, const Space& out,
            Argument y);
  /// Windows of a GEMM with interleaved outputs, one or two: of its inputs and of the residual. The always-one features
  /// of pads are at ones[window]; the second window of numbered weights needs none. A bias is in the first, whose
  /// arrays are the inputs, the feature and the residual.
  struct Interleaved {
    std::vector<Window> windows;
    std::vector<int> ones;
  };
  std::optional<Interleaved> interleaved(const std::vector<Input>& inputs, int residual, const Space& out,
                                         bool numbered) const;
  /// Cycles of a dense GEMM's pads, without numbers, in the smaller groups of home rows.
  long pads(const std::vector<Input>& inputs, const Space& out) const;
  /// Bits of an index for the local part.
  int local_bits(bool numbered) const { return wafer_.row_shift() - (numbered ? SumOrder::kBits : 0); }
};

void LinearGemm::forward(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  const auto n = static_cast<std::size_t>(step.n);
  OpBuilder builder = op(step.name);
  for (const int tensor : from.tensors) builder.reads(tensor);
  gemm(std::move(builder), {{space(from.in[0]), address(from.in[0]), matrix(from, n)}}, bias(from, n),
       from.add >= 0 ? address(from.add) : kNothing, space(from.out[n]),
       {"y", address(from.out[n]), per_position(from.out[n])});
}

void LinearGemm::input_gradient(const network::Step& step) {
  OpBuilder builder = op(step.name);
  std::vector<Input> inputs;
  for (const int index : step.through) {
    const network::NetworkOperation& from = graph_.network.operations[static_cast<std::size_t>(index)];
    builder.reads(from.tensors[0]);
    for (std::size_t n = 0; n < from.out.size(); ++n)
      inputs.push_back({space(from.out[n]), gradient_address(from.out[n]), matrix(from, n).transposed()});
  }
  const int y = gradient_address(step.value);
  gemm(std::move(builder), inputs, kNone, step.adds ? y : kNothing, space(step.value), {"y", y});
}

void LinearGemm::gemm(OpBuilder builder, const std::vector<Input>& whole, std::uint64_t bias, int residual,
                      const Space& out, Argument y) {
  static constexpr std::string_view kBases[] = {"x", "x2", "x3", "x4", "x5"};
  constexpr long kFill = 50;  // cycles to fill a place
  const std::vector<Input> inputs = in_blocks(whole);
  std::vector<Reached> arrays = reached(inputs);
  if (bias != kNone) arrays.push_back({memory_.ones, 1});
  if (residual != kNothing) arrays.push_back({residual, out.slots()});
  const std::vector<Window> bases = windows_of(arrays);
  if (bases.size() > std::size(kBases))
    throw Refusal("model.network",
                  fmt::format("{}: the inputs of a linear are in {} places too far apart for a weight's index, and a "
                              "kernel takes {}",
                              model_.network, bases.size(), std::size(kBases)),
                  "let fewer operations read one value");
  std::vector<Argument> arguments;
  // Arrays of the windows: the inputs, the always-one feature at `one`, which has number `ones`, and the residual.
  const auto describe = [&](const std::vector<Window>& windows, int one, std::size_t ones, std::size_t old) {
    arguments = {y, {"homes", table(out)}};
    StreamDescriptor descriptor = descriptor_of(out);
    descriptor.outputs_copies = inputs.front().weights.out_copies;
    for (std::size_t n = 0; n < windows.size(); ++n) {
      const Window& window = windows[n];
      arguments.push_back({kBases[n], window.base});
      const std::size_t last = std::min(window.first + window.count, inputs.size());
      descriptor.lines.push_back(window.first < last
                                     ? line(std::span(inputs).subspan(window.first, last - window.first), window.base)
                                     : std::vector<StreamDescriptor::Input>{});
      const int here = static_cast<int>(n);
      // Any row may add the bias: the rows take turns, but with a residual it must be another row, because only one
      // index, the last, may move (board_link.md, RUN).
      if (bias != kNone && window.has(ones))
        descriptor.bias = {
            .offset = bias, .local = local(one, window.base), .before_home = residual != kNothing, .line = here};
      if (residual != kNothing && window.has(old)) descriptor.residual = {local(residual, window.base), here};
    }
    return descriptor;
  };
  const std::string in_cycles = wafer_.psum_cycles == 2 ? "_rotating" : "";
  const auto kernel = [&](std::size_t count, std::string_view form) {
    return (count == 1 ? "gemm" : fmt::format("gemm_{}", count)) + std::string(form) + in_cycles;
  };
  const bool counted = !memory_.counts || &out != &spaces_.vocab;  // one register can count the outputs
  for (const bool numbered : {true, false}) {  // numbered weights have fewer pads, but reach less memory
    if (numbered && !wafer_.turns) continue;
    const std::optional<Interleaved> together = interleaved(inputs, residual, out, numbered);
    const std::string groups = kernel(together ? together->windows.size() : 1, "_interleaved");
    if (!counted || !together || !has_short_vectors(out, groups)) continue;
    const auto is_of_all_ops = [&](int one) { return one == memory_.ones; };
    if (numbered && !std::ranges::all_of(together->ones, is_of_all_ops)) {
      needs(groups);  // with a mask
      if (kept_ == nullptr && pads(inputs, out) < kFill) continue;
    }
    may_call(kernel(bases.size(), ""));
    StreamDescriptor descriptor = describe(together->windows, together->ones[0], inputs.size(), inputs.size() + 1);
    std::vector<int> ones;
    for (std::size_t n = 0; n < together->ones.size(); ++n)
      ones.push_back(local(together->ones[n], together->windows[n].base));
    ones.resize(together->windows.size());
    interleave(descriptor, std::move(ones), numbered);
    if (has(kernel(bases.size(), "")) && !is_faster_interleaved(descriptor)) continue;
    for (const int one : together->ones)
      if (one != memory_.ones) builder.call("fill", {{"first", one}, {"words", beats()}, {"value", kOneBf16}});
    add_groups(descriptor, arguments);
    arguments.insert(arguments.end(),
                     {{"order", beats() - 1 + (numbered ? 8 : 0)}, {"mask", (1 << local_bits(numbered)) - 1}});
    builder.call(groups, arguments);
    return add(builder.descriptor(std::move(descriptor)));
  }
  StreamDescriptor descriptor = describe(bases, memory_.ones, inputs.size(), inputs.size() + (bias != kNone ? 1 : 0));
  arguments.push_back(outputs(out));
  builder.call(kernel(bases.size(), ""), arguments);
  add(builder.descriptor(std::move(descriptor)));
}

long LinearGemm::pads(const std::vector<Input>& inputs, const Space& out) const {
  long slots = 0, missing = 0;
  for (const Input& in : inputs) slots += in.slots();
  const int each = groups_of(out, false, static_cast<int>(slots)).each;
  for (int home = 0; home < out.rows(); ++home) missing += (each - out.count(home) % each) % each;
  return slots * missing * beats();
}

std::optional<LinearGemm::Interleaved> LinearGemm::interleaved(const std::vector<Input>& inputs, int residual,
                                                               const Space& out, bool numbered) const {
  const int bits = local_bits(numbered);
  if (bits < 0) return std::nullopt;
  const auto windows_within = [&](const std::vector<Reached>& arrays) {
    return windows(arrays, memory_.tokens_per_column, 1 << bits);
  };
  // The always-one features that may be near an array: that of all ops, and the place behind the array.
  const auto ones_near = [&](int address, const Space& space) {
    std::vector<int> ones = {memory_.ones};
    if (memory_.has_place_behind(address)) ones.push_back(address + space.slots() * memory_.tokens_per_column);
    return ones;
  };
  const std::vector<Reached> arrays = reached(inputs);
  const auto fits = [&](const Reached& array) { return array.slots <= 1 << bits; };
  if (!std::ranges::all_of(arrays, fits) || (residual != kNothing && out.slots() > 1 << bits)) return std::nullopt;
  const auto reached_with = [&](int one, bool old) {
    std::vector<Reached> all = arrays;
    all.push_back({one, 1});
    if (old) all.push_back({residual, out.slots()});
    return windows_within(all);
  };
  const std::vector<int> ones = ones_near(inputs.back().address, inputs.back().space);
  for (const int one : ones)
    if (std::vector<Window> windows = reached_with(one, residual != kNothing); windows.size() == 1)
      return Interleaved{std::move(windows), {one}};
  if (residual == kNothing) return std::nullopt;
  for (const int one : ones) {
    std::vector<Window> windows = reached_with(one, false);
    if (windows.size() > 1) continue;
    if (numbered) {
      windows.push_back({.base = residual, .first = arrays.size() + 1, .count = 1});
      return Interleaved{std::move(windows), {one}};
    }
    for (const int other : ones_near(residual, out)) {
      if (windows_within({{other, 1}, {residual, out.slots()}}).size() > 1) continue;
      windows.push_back({.base = std::min(other, residual), .first = arrays.size() + 1, .count = 1});
      return Interleaved{std::move(windows), {one, other}};
    }
  }
  return std::nullopt;
}

}  // namespace

LinearTools::Matrix LinearTools::matrix(const network::NetworkOperation& linear, std::size_t output) const {
  const HeadCopies copies = this->copies(linear);
  const int in = space(linear.in[0]).features(), out = space(linear.out[0]).features() / copies.times;
  if (linear.out_by_in)
    return {offset(linear, 0) + output * static_cast<std::uint64_t>(out) * static_cast<std::uint64_t>(in),
            1,
            in,
            {},
            copies};
  const int columns = out * static_cast<int>(linear.out.size());
  return {offset(linear, 0) + output * static_cast<std::uint64_t>(out), columns, 1, {}, copies};
}

HeadCopies LinearTools::copies(const network::NetworkOperation& linear) const {
  const network::NetworkTensor& weight = graph_.network.tensor(linear, 0);
  const network::Role made = weight.shape[linear.out_by_in ? 0 : 1].role;
  return made == network::Role::KvHead ? model_.kv_copies() : HeadCopies{};
}

std::uint64_t LinearTools::bias(const network::NetworkOperation& linear, std::size_t output) const {
  if (linear.tensors.size() < 2) return kNone;
  return offset(linear, 1) +
         output * static_cast<std::uint64_t>(space(linear.out[0]).features() / copies(linear).times);
}

const OperationLowering& linear_lowering() {
  using Kind = network::Step::Kind;
  static constexpr OperationLowering lowering{.lower = [](const LoweringTools& tools, const network::Step& step) {
    if (step.kind == Kind::WeightGradient) return lower_linear_gradient(tools, step);
    LinearGemm gemm(tools);
    step.kind == Kind::Forward ? gemm.forward(step) : gemm.input_gradient(step);
  }};
  return lowering;
}

}  // namespace weft::compiler
