#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sw/base/refusal.hpp"
#include "sw/compiler/lower/lower.hpp"

namespace weft {

Lowering::Matrix Lowering::matrix(const NetworkOperation& linear, std::size_t output) const {
  const int in = space(linear.in[0]).features(), out = space(linear.out[0]).features();
  if (linear.out_by_in)
    return {offset(linear, 0) + output * static_cast<std::uint64_t>(out) * static_cast<std::uint64_t>(in), 1, in};
  const int columns = out * static_cast<int>(linear.out.size());
  return {offset(linear, 0) + output * static_cast<std::uint64_t>(out), columns, 1};
}

std::uint64_t Lowering::bias(const NetworkOperation& linear, std::size_t output) const {
  if (linear.tensors.size() < 2) return kNone;
  return offset(linear, 1) + output * static_cast<std::uint64_t>(space(linear.out[0]).features());
}

void Lowering::linear(const Step& step) {
  const NetworkOperation& from = graph_.op(step);
  const auto n = static_cast<std::size_t>(step.n);
  OpBuilder builder = op(step.name);
  for (const int tensor : from.tensors) builder.reads(tensor);
  gemm(std::move(builder), {{space(from.in[0]), address(from.in[0]), matrix(from, n)}}, bias(from, n),
       from.add >= 0 ? address(from.add) : kNothing, space(from.out[n]),
       {"y", address(from.out[n]), per_position(from.out[n])});
}

void Lowering::input_gradient(const Step& step) {
  OpBuilder builder = op(step.name);
  std::vector<Input> inputs;
  for (const int index : step.through) {
    const NetworkOperation& from = graph_.network.operations[static_cast<std::size_t>(index)];
    builder.reads(from.tensors[0]);
    for (std::size_t n = 0; n < from.out.size(); ++n)
      inputs.push_back({space(from.out[n]), gradient_address(from.out[n]), matrix(from, n).transposed()});
  }
  const int y = gradient_address(step.value);
  gemm(std::move(builder), inputs, kNone, step.adds ? y : kNothing, space(step.value), {"y", y});
}

StreamDescriptor Lowering::descriptor_of(const Space& out, StreamDescriptor::Values values) const {
  StreamDescriptor descriptor;
  descriptor.outputs = shared(out);
  descriptor.values = values;
  descriptor.kept = values == StreamDescriptor::Values::Weights ? kept_ : trained_;
  return descriptor;
}

std::vector<StreamDescriptor::Input> Lowering::line(std::span<const Input> inputs, int base) const {
  std::vector<StreamDescriptor::Input> line;
  for (const Input& in : inputs)
    line.push_back({shared(in.space), local(in.address, base), in.weights.offset,
                    static_cast<std::uint64_t>(in.weights.in_stride), static_cast<std::uint64_t>(in.weights.out_stride),
                    in.from, in.to});
  return line;
}

void Lowering::gemm(OpBuilder builder, const std::vector<Input>& whole, std::uint64_t bias, int residual,
                    const Space& out, Argument y) {
  static constexpr std::string_view kBases[] = {"x", "x2", "x3", "x4", "x5"};
  const std::vector<Input> inputs = in_blocks(whole);
  std::vector<Reached> arrays = reached(inputs);
  const std::size_t ones = arrays.size();
  if (bias != kNone) arrays.push_back({memory_.ones, 1});
  const std::size_t old = arrays.size();
  if (residual != kNothing) arrays.push_back({residual, out.slots()});
  std::vector<Window> bases = windows_of(arrays);
  const bool counted = !memory_.counts || &out != &spaces_.vocab;  // one register can count the outputs
  const bool interleaved = counted && interleaves(arrays, bases);
  if (bases.size() > std::size(kBases))
    throw Refusal(
        "model.network",
        fmt::format(
            "{}: the inputs of a linear are in {} places too far apart for a weight's index, and a kernel takes {}",
            model_.network, bases.size(), std::size(kBases)),
        "let fewer operations read one value");
  std::vector<Argument> arguments = {y, {"homes", table(out)}};
  StreamDescriptor descriptor = descriptor_of(out);
  for (std::size_t n = 0; n < bases.size(); ++n) {
    const Window& window = bases[n];
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
          .offset = bias, .local = local(memory_.ones, window.base), .before_home = residual != kNothing, .line = here};
    if (residual != kNothing && window.has(old)) descriptor.residual = {local(residual, window.base), here};
  }
  std::string far = bases.size() == 1 ? "gemm" : fmt::format("gemm_{}", bases.size());
  if (interleaved) {
    interleave(descriptor, local(memory_.ones, bases[0].base), arguments);
    far = "gemm_interleaved";
  } else {
    arguments.push_back(outputs(out));
  }
  builder.call(wafer_.psum_cycles == 2 ? far + "_rotating" : far, arguments);
  add(builder.descriptor(std::move(descriptor)));
}

bool Lowering::interleaves(std::vector<Reached> arrays, std::vector<Window>& bases) const {
  if (memory_.positions == 0) return false;
  arrays.push_back({memory_.ones, 1});
  const std::vector<Window> together = windows_of(arrays);
  if (together.size() > 1) return false;
  bases = together;
  return true;
}

void Lowering::interleave(StreamDescriptor& descriptor, int ones, std::vector<Argument>& arguments) {
  const Groups groups = groups_of(*descriptor.outputs);
  descriptor.interleave = {.each = groups.each, .ones = ones};
  arguments.insert(arguments.end(), {{"groups", groups.count}, {"each", groups.each}});
}

Lowering::Groups Lowering::groups_of(const Space& out) {
  constexpr int kMost = 16;  // outputs: enough to hide the pipeline, but the ring lags little behind main
  const int groups = (out.slots() + kMost - 1) / kMost, each = (out.slots() + groups - 1) / groups;
  int count = 0;
  for (int row = 0; row < out.rows(); ++row) count += (out.count(row) + each - 1) / each;
  return {count, each};
}

}  // namespace weft
