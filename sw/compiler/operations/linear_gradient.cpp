// Gradients of a linear's weights and biases: vectors of one array go round the ring, features of the other are
// indexed.
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sw/compiler/operations/linear.hpp"
#include "sw/compiler/stream/stream_counts.hpp"

namespace weft::compiler {
namespace {

class LinearGradient : private LinearTools {
 public:
  explicit LinearGradient(const LoweringTools& tools) : LinearTools(tools) {}

  void lower(const network::Step& step);

 private:
  /// Gradients between the features of `out`, whose vectors go round the ring, and those of the descriptor's inputs,
  /// which are indexed and lie in one window that begins at `base`. `one_before`: the always-one feature is an
  /// additional output, the first (with_one_before).
  void gradient(OpBuilder builder, StreamDescriptor descriptor, int base, const Space& out, int dy, bool one_before);
  /// Gradients of a linear's biases alone: the features of the gradients of `outputs` are indexed.
  void bias_gradient(const std::string& name, std::span<const Input> outputs, std::span<const std::uint64_t> biases);
  /// As lower(), with both arrays in each other's place: x goes round the ring, and the features of the
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

bool LinearGradient::indexes_outputs(const network::NetworkOperation& linear, const std::vector<Input>& outputs) const {
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

void LinearGradient::lower(const network::Step& step) {
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
  descriptor.outputs_copies = x.weights.out_copies;
  descriptor.lines = {line(x, base)};
  if (near) descriptor.bias = {.offset = of_bias, .local = local(memory_.ones, base)};  // any row may: rows take turns
  gradient(op(step.name), std::move(descriptor), base, out, dy, false);
  if (near || of_bias == kNone) return;
  bias_gradient(bias_name(step.name), {&outputs[n], 1}, {&of_bias, 1});
}

std::string LinearGradient::bias_name(const std::string& of_weight) {
  return of_weight.substr(0, of_weight.size() - 1) + "b";
}

bool LinearGradient::has_biases_behind(const network::NetworkOperation& linear,
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

void LinearGradient::gradient_of_outputs(const network::Step& step, const std::vector<Input>& outputs) {
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

std::shared_ptr<const Space> LinearGradient::with_one_before(const Space& space) {
  std::shared_ptr<const Space>& made = lowered_.with_one_before[&space];
  if (made == nullptr) {
    std::vector<std::vector<int>> at;
    for (int row = 0; row < space.rows(); ++row) at.push_back(space.on_row(row));
    at[0].insert(at[0].begin(), space.features());
    made = std::make_shared<const Space>(Space::listed(std::move(at)));
  }
  return made;
}

void LinearGradient::bias_gradient(const std::string& name, std::span<const Input> outputs,
                                   std::span<const std::uint64_t> biases) {
  std::vector<Input> whole;
  for (std::size_t n = 0; n < outputs.size(); ++n)
    whole.push_back({outputs[n].space, outputs[n].address, {biases[n], 1, 0, outputs[n].weights.in_copies}});
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

void LinearGradient::gradient(OpBuilder builder, StreamDescriptor descriptor, int base, const Space& out, int dy,
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

void lower_linear_gradient(const LoweringTools& tools, const network::Step& step) { LinearGradient(tools).lower(step); }

}  // namespace weft::compiler
