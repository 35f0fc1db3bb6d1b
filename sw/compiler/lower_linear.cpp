#include <algorithm>

#include "sw/compiler/lower.hpp"
#include "sw/compiler/sweep_counts.hpp"

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
       from.add >= 0 ? address(from.add) : kNothing, space(from.out[n]), address(from.out[n]));
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
  gemm(std::move(builder), inputs, kNone, step.adds ? y : kNothing, space(step.value), y);
}

int Lowering::lowest(const std::vector<Input>& inputs) {
  return std::ranges::min_element(inputs, {}, &Input::address)->address;
}

Sweep Lowering::sweep_of(const Space& out) const {
  Sweep sweep;
  sweep.outputs = shared(out);
  sweep.kept = kept_;
  return sweep;
}

std::vector<Sweep::Input> Lowering::line(const std::vector<Input>& inputs, int base) const {
  std::vector<Sweep::Input> line;
  for (const Input& in : inputs)
    line.push_back({shared(in.space), local(in.address, base), in.weights.offset,
                    static_cast<std::uint64_t>(in.weights.in_stride),
                    static_cast<std::uint64_t>(in.weights.out_stride)});
  return line;
}

void Lowering::gemm(OpBuilder builder, const std::vector<Input>& inputs, std::uint64_t bias, int residual,
                    const Space& out, int y) {
  int base = lowest(inputs);
  if (residual != kNothing) base = std::min(base, residual);
  builder.call(wafer_.psum_cycles == 2 ? "gemm_in_turn" : "gemm",
               {{"x", base}, {"outputs", out.features()}, {"y", y}, {"homes", table(out)}});
  Sweep sweep = sweep_of(out);
  sweep.lines = {line(inputs, base)};
  // Any row may add the bias. They take turns, or it is not the one with the residual: one index may move, the last
  // (board_link.md, RUN).
  if (bias != kNone)
    sweep.bias = {.offset = bias, .local = local(memory_.ones, base), .before_home = residual != kNothing};
  if (residual != kNothing) sweep.residual = local(residual, base);
  add(builder.sweep(std::move(sweep)));
}

bool Lowering::indexes_outputs(const NetworkOperation& linear) const {
  const std::size_t inputs = static_cast<std::size_t>(space(linear.in[0]).features()),
                    outputs = linear.out.size() * static_cast<std::size_t>(space(linear.out[0]).features());
  const bool head = &space(linear.out[0]) == &spaces_.vocab;
  if (kept_ == nullptr || head || outputs <= inputs) return false;
  const TensorInfo& t = tensors_[static_cast<std::size_t>(linear.tensors[0])];
  const auto first = kept_->begin() + static_cast<std::ptrdiff_t>(t.offset);
  return 2 * std::count(first, first + static_cast<std::ptrdiff_t>(t.size), true) <=
         static_cast<std::ptrdiff_t>(t.size);
}

void Lowering::weight_gradient(const Step& step) {
  const NetworkOperation& from = graph_.op(step);
  const auto n = static_cast<std::size_t>(step.n);
  if (indexes_outputs(from)) {
    if (n > 0) return;
    std::vector<Input> outputs;
    for (std::size_t k = 0; k < from.out.size(); ++k)
      outputs.push_back({space(from.out[k]), gradient_address(from.out[k]), matrix(from, k).transposed()});
    return gradient_of_outputs(from, outputs, address(from.in[0]));
  }
  gradient(op(step.name), {{space(from.in[0]), address(from.in[0]), matrix(from, n)}}, bias(from, n),
           space(from.out[n]), gradient_address(from.out[n]));
}

void Lowering::gradient_of_outputs(const NetworkOperation& linear, const std::vector<Input>& outputs, int x) {
  gradient(op("d." + linear.name + ".weight"), outputs, kNone, space(linear.in[0]), x);
  if (linear.tensors.size() < 2) return;
  const int base = lowest(outputs);
  OpBuilder biases = op("d." + linear.name + ".bias");
  biases.call("gradient_local", {{"x", base}, {"slots", 1}, {"dy", memory_.ones}, {"buffers", memory_.dys(base)}});
  std::vector<Input> of_biases;
  for (std::size_t n = 0; n < outputs.size(); ++n)
    of_biases.push_back({outputs[n].space, outputs[n].address, {bias(linear, n), 1, 0}});
  Sweep sweep;
  sweep.kept = kept_;
  sweep.values = Sweep::Values::Indices;
  sweep.outputs = std::make_shared<const Space>(Space::dealt({0}, wafer_.rows));
  sweep.lines = {line(of_biases, base)};
  add(biases.sweep(std::move(sweep)));
}

void Lowering::gradient(OpBuilder builder, const std::vector<Input>& inputs, std::uint64_t bias, const Space& out,
                        int dy) {
  const int base = lowest(inputs);
  Sweep sweep = sweep_of(out);
  sweep.values = Sweep::Values::Indices;
  sweep.lines = {line(inputs, base)};
  if (bias != kNone) sweep.bias = {.offset = bias, .local = local(memory_.ones, base)};  // any row may: they take turns
  builder.call("gradient", {{"x", base},
                            {"outputs", out.features()},
                            {"dy", dy},
                            {"homes", table(out)},
                            {"buffers", memory_.dys(base)},
                            {"group", even_group(sweep)}});
  add(builder.sweep(std::move(sweep)));
}

int Lowering::even_group(const Sweep& sweep) const {
  return group_size(SweepCounts(sweep).fullest, memory_.tokens_per_column / wafer_.lanes);
}

}  // namespace weft
