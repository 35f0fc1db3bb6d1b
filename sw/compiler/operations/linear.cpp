// Linear: a GEMM forward, and its transpose for the input's gradient. Gradients of weights and biases: vectors of one
// array go round the ring, features of the other are indexed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "sw/base/refusal.hpp"
#include "sw/compiler/lower/lower.hpp"
#include "sw/compiler/stream/stream_counts.hpp"

namespace weft::compiler {
namespace {

class LinearLowering : private LoweringTools {
 public:
  explicit LinearLowering(const LoweringTools& tools) : LoweringTools(tools) {}

  void lower(const network::Step& step) {
    if (step.kind == network::Step::Kind::Forward) return forward(step);
    step.kind == network::Step::Kind::WeightGradient ? weight_gradient(step) : input_gradient(step);
  }

 private:
  void forward(const network::Step& step);
  void weight_gradient(const network::Step& step);
  void input_gradient(const network::Step& step);
  Matrix matrix(const network::NetworkOperation& linear, std::size_t output) const;
  /// The bias parameter of the output's feature 0; kNone if there is none.
  std::uint64_t bias(const network::NetworkOperation& linear, std::size_t output) const;
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

  /// Gradients between the features of `out`, whose vectors go round the ring, and those of the descriptor's inputs,
  /// which are indexed and lie in one window that begins at `base`. `one_before`: the always-one feature is an
  /// additional output, the first (with_one_before).
  void gradient(OpBuilder builder, StreamDescriptor descriptor, int base, const Space& out, int dy, bool one_before);
  /// Gradients of a linear's biases alone: the features of the gradients of `outputs` are indexed.
  void bias_gradient(const std::string& name, std::span<const Input> outputs, std::span<const std::uint64_t> biases);
  /// As weight_gradient(), with both arrays in each other's place: x goes round the ring, and the features of the
  /// outputs' gradients are indexed (with matrices as in the delta pass), for all outputs of a linear together. Biases
  /// that lie behind the weights are the gradient of a feature of x that is always one; other biases have an op of
  /// their own.
  void gradient_of_outputs(const network::Step& step, const std::vector<Input>& outputs);
  bool has_biases_behind(const network::NetworkOperation& linear, const std::vector<Input>& outputs) const;
  /// A space's features, preceded by one more on row 0.
  std::shared_ptr<const Space> with_one_before(const Space& space);
  /// Returns true if indexing the features of a linear's outputs is faster than sending their vectors round the ring:
  /// each vector sent takes its time, and so does each output with few weights in a row (docs/explanation/sparsity.md).
  bool indexes_outputs(const network::NetworkOperation& linear, const std::vector<Input>& outputs) const;
  /// "h.0.mlp.c_fc.db" of "h.0.mlp.c_fc.dw".
  static std::string bias_name(const std::string& of_weight);
};

LinearLowering::Matrix LinearLowering::matrix(const network::NetworkOperation& linear, std::size_t output) const {
  const int in = space(linear.in[0]).features(), out = space(linear.out[0]).features();
  if (linear.out_by_in)
    return {offset(linear, 0) + output * static_cast<std::uint64_t>(out) * static_cast<std::uint64_t>(in), 1, in};
  const int columns = out * static_cast<int>(linear.out.size());
  return {offset(linear, 0) + output * static_cast<std::uint64_t>(out), columns, 1};
}

std::uint64_t LinearLowering::bias(const network::NetworkOperation& linear, std::size_t output) const {
  if (linear.tensors.size() < 2) return kNone;
  return offset(linear, 1) + output * static_cast<std::uint64_t>(space(linear.out[0]).features());
}

void LinearLowering::forward(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  const auto n = static_cast<std::size_t>(step.n);
  OpBuilder builder = op(step.name);
  for (const int tensor : from.tensors) builder.reads(tensor);
  gemm(std::move(builder), {{space(from.in[0]), address(from.in[0]), matrix(from, n)}}, bias(from, n),
       from.add >= 0 ? address(from.add) : kNothing, space(from.out[n]),
       {"y", address(from.out[n]), per_position(from.out[n])});
}

void LinearLowering::input_gradient(const network::Step& step) {
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

void LinearLowering::gemm(OpBuilder builder, const std::vector<Input>& whole, std::uint64_t bias, int residual,
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

long LinearLowering::pads(const std::vector<Input>& inputs, const Space& out) const {
  const int each = groups_of(out, false).each;
  long slots = 0, missing = 0;
  for (const Input& in : inputs) slots += in.slots();
  for (int home = 0; home < out.rows(); ++home) missing += (each - out.count(home) % each) % each;
  return slots * missing * beats();
}

std::optional<LinearLowering::Interleaved> LinearLowering::interleaved(const std::vector<Input>& inputs, int residual,
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

bool LinearLowering::indexes_outputs(const network::NetworkOperation& linear, const std::vector<Input>& outputs) const {
  constexpr long kOp = 150;  // cycles from one op's last sum to the next one's first
  const Space& in = space(linear.in[0]);
  if (&outputs.front().space == &spaces_.vocab && memory_.blocks > 1) return false;  // x would go round for each block
  const TensorInfo& t = tensors_[static_cast<std::size_t>(linear.tensors[0])];
  double share = 1;
  if (trained_ != nullptr) {
    const auto first = trained_->begin() + static_cast<std::ptrdiff_t>(t.offset);
    share = static_cast<double>(std::count(first, first + static_cast<std::ptrdiff_t>(t.size), true)) /
            static_cast<double>(t.size);
  }
  const int beats = memory_.tokens_per_column / wafer_.lanes;
  const auto time = [&](int outputs, int slots) {
    return kOp + gradient_beats({{static_cast<int>(std::ceil(share * slots)), outputs}}, beats);
  };
  const bool biased = linear.tensors.size() > 1 && !has_biases_behind(linear, outputs);
  long sent = 0, indexed = 0;
  for (const Input& out : outputs) sent += time(out.space.features(), in.slots());
  for (const Window& window : windows_of(reached(outputs))) {
    int slots = 0;
    for (const Input& out : std::span(outputs).subspan(window.first, window.count)) slots += out.slots();
    indexed += time(in.features(), slots) + (biased ? kOp : 0);  // biases take equally long in both
  }
  return indexed < sent;
}

void LinearLowering::weight_gradient(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  const auto n = static_cast<std::size_t>(step.n);
  std::vector<Input> outputs;
  for (std::size_t k = 0; k < from.out.size(); ++k)
    outputs.push_back({space(from.out[k]), gradient_address(from.out[k]), matrix(from, k).transposed()});
  if (indexes_outputs(from, outputs)) {
    if (n == 0) gradient_of_outputs(step, outputs);
    return;
  }
  const Input x{space(from.in[0]), address(from.in[0]), matrix(from, n)};
  const std::uint64_t of_bias = bias(from, n);
  const std::vector<Window> together = windows_of({{x.address, x.space.slots()}, {memory_.ones, 1}});
  const bool near = of_bias != kNone && together.size() == 1;
  const Space& out = space(from.out[n]);
  const int dy = gradient_address(from.out[n]);
  const int base = near ? together[0].base : x.address;
  StreamDescriptor descriptor = descriptor_of(out, StreamDescriptor::Values::Indices);
  descriptor.lines = {line(x, base)};
  if (near) descriptor.bias = {.offset = of_bias, .local = local(memory_.ones, base)};  // any row may: rows take turns
  gradient(op(step.name), std::move(descriptor), base, out, dy, false);
  if (near || of_bias == kNone) return;
  bias_gradient(bias_name(step.name), {&outputs[n], 1}, {&of_bias, 1});
}

std::string LinearLowering::bias_name(const std::string& of_weight) {
  return of_weight.substr(0, of_weight.size() - 1) + "b";
}

bool LinearLowering::has_biases_behind(const network::NetworkOperation& linear,
                                       const std::vector<Input>& outputs) const {
  // One output more must not begin another round of a register (sw/kernels/outputs/counts.s).
  if (linear.tensors.size() < 2 || space(linear.in[0]).features() % 0x10000 == 0) return false;
  for (std::size_t n = 0; n < outputs.size(); ++n) {
    const Matrix& m = outputs[n].weights;  // [x, outputs], or its transpose
    const auto behind = m.offset + static_cast<std::uint64_t>(space(linear.in[0]).features()) *
                                       static_cast<std::uint64_t>(m.out_stride);
    if (m.in_stride != 1 || bias(linear, n) != behind) return false;
  }
  return true;
}

void LinearLowering::gradient_of_outputs(const network::Step& step, const std::vector<Input>& outputs) {
  const network::NetworkOperation& from = graph_.op(step);
  const std::string name = from.name + ".dw";  // common name for all outputs
  const Space& x = space(from.in[0]);
  const bool biased = from.tensors.size() > 1, behind = has_biases_behind(from, outputs);
  std::vector<std::uint64_t> biases;
  for (std::size_t n = 0; n < outputs.size(); ++n) biases.push_back(bias(from, n));
  for (const Window& window : windows_of(reached(outputs))) {
    const auto some = std::span(outputs).subspan(window.first, window.count);
    StreamDescriptor descriptor = descriptor_of(x, StreamDescriptor::Values::Indices);
    if (behind) descriptor.outputs = with_one_before(x);
    descriptor.lines = {line(some, window.base)};
    gradient(op(part_name(name, window.first)), std::move(descriptor), window.base, x, address(from.in[0]), behind);
    if (biased && !behind)
      bias_gradient(part_name(bias_name(name), window.first), some,
                    std::span(biases).subspan(window.first, window.count));
  }
}

std::shared_ptr<const Space> LinearLowering::with_one_before(const Space& space) {
  std::shared_ptr<const Space>& made = lowered_.with_one_before[&space];
  if (made == nullptr) {
    std::vector<std::vector<int>> at;
    for (int row = 0; row < space.rows(); ++row) at.push_back(space.on_row(row));
    at[0].insert(at[0].begin(), space.features());
    made = std::make_shared<const Space>(Space::listed(std::move(at)));
  }
  return made;
}

void LinearLowering::bias_gradient(const std::string& name, std::span<const Input> outputs,
                                   std::span<const std::uint64_t> biases) {
  std::vector<Input> whole;
  for (std::size_t n = 0; n < outputs.size(); ++n)
    whole.push_back({outputs[n].space, outputs[n].address, {biases[n], 1, 0}});
  const std::vector<Input> of_biases = in_blocks(whole);
  for (const Window& window : windows_of(reached(of_biases))) {
    OpBuilder builder = op(part_name(name, window.first));
    builder.call("gradient_local",
                 {{"x", window.base}, {"slots", 1}, {"dy", memory_.ones}, {"buffers", memory_.dys(window.base)}});
    StreamDescriptor descriptor;
    descriptor.kept = trained_;
    descriptor.values = StreamDescriptor::Values::Indices;
    descriptor.outputs = std::make_shared<const Space>(Space::interleaved({0}, wafer_.rows));
    descriptor.lines = {line(std::span(of_biases).subspan(window.first, window.count), window.base)};
    add(builder.descriptor(std::move(descriptor)));
  }
}

void LinearLowering::gradient(OpBuilder builder, StreamDescriptor descriptor, int base, const Space& out, int dy,
                              bool one_before) {
  const StreamCounts counts(descriptor);
  builder.call("gradient", {{"x", base},
                            {"outputs", (out.features() + (one_before ? 1 : 0)) & 0xffff},
                            {"dy", dy},
                            {"homes", table(out)},
                            {"buffers", memory_.dys(base)},
                            {"group", even_group(counts)},
                            {"ones", one_before ? memory_.ones : 0}});
  add(builder.descriptor(std::move(descriptor), counts));
}

}  // namespace

const OperationLowering& linear_lowering() {
  static constexpr OperationLowering lowering{
      .lower = [](const LoweringTools& tools, const network::Step& step) { LinearLowering(tools).lower(step); }};
  return lowering;
}

}  // namespace weft::compiler
