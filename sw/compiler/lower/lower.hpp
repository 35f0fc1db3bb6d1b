/// Lowering of a schedule's steps to ops of one wafer.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sw/asm/program.hpp"
#include "sw/compiler/graph/graph.hpp"
#include "sw/compiler/lower/layout.hpp"
#include "sw/compiler/lower/op_builder.hpp"
#include "sw/compiler/lower/windows.hpp"
#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/compiler/model/model_shape.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "sw/compiler/placement/spaces.hpp"
#include "sw/compiler/stream/op.hpp"
#include "sw/machine/shape.hpp"
#include "sw/network/schedule.hpp"

namespace weft {

class Lowering {
 public:
  /// `kept`: a bit for each parameter; null: all exist. `trained`: the parameters for which gradients are returned.
  /// `layout` must outlive this. `program`: null as long as there is none (OpBuilder).
  Lowering(const Layout& layout, std::shared_ptr<const Spaces> spaces, std::shared_ptr<const std::vector<bool>> kept,
           std::shared_ptr<const std::vector<bool>> trained, const Program* program);

  /// Kernels that the ops of the schedule call without a mask; the program is made of these. Generation has the program
  /// of training. A mask changes no base of a kernel, so the only further kernel that it can cause to be called is
  /// `gradient_local`, which every program has.
  static std::set<std::string> kernels_of(const Layout& layout);

  /// Appends the step's ops: one, none if an earlier step did its work, or several if divided by blocks or bases.
  void lower(const Step& step);
  std::vector<Op> ops;

 private:
  /// A matrix of parameters as a kernel sees it: element (in, out) is parameter offset + in*in_stride + out*out_stride.
  struct Matrix {
    std::uint64_t offset;
    int in_stride, out_stride;
    Matrix transposed() const { return {offset, out_stride, in_stride}; }
  };
  /// One input array of a GEMM: its placement, address and matrix. Only slots [from, to) are inputs; slot `from` lies
  /// at the address.
  struct Input {
    const Space& space;
    int address;
    Matrix weights;
    int from = 0, to = std::numeric_limits<int>::max();
    int slots() const { return std::min(to, space.slots()) - from; }
  };
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};  ///< no bias
  static constexpr int kNothing = -1;                        ///< no residual

  OpBuilder op(std::string name) const { return {wafer_, program_, std::move(name)}; }
  void add(OpBuilder& builder);
  const Space& space(int value) const { return spaces_.of(graph_.network.value(value).role); }
  int address(int value) const { return memory_.at(array_of(graph_.network, value)); }
  /// Argument::each of the address of a value's array.
  int per_position(int value) const { return memory_.per_position(array_of(graph_.network, value)); }
  int gradient_address(int value) const { return memory_.at(graph_.gradient(value)); }
  std::uint64_t offset(const NetworkOperation& op, std::size_t tensor) const;
  int table(const Space& space) const;
  /// The number of features, modulo 2^16 as a register counts them.
  static Argument outputs(const Space& out) { return {"outputs", out.features() & 0xffff}; }
  /// Local slot of an array's begin, in a window that begins at `base`.
  int local(int address, int base) const { return (address - base) / memory_.tokens_per_column; }
  std::vector<Window> windows_of(const std::vector<Reached>& arrays) const;
  static std::vector<Reached> reached(const std::vector<Input>& inputs);
  /// The inputs, with those of the vocabulary divided into blocks.
  std::vector<Input> in_blocks(std::span<const Input> inputs) const;
  /// Names of the parts of an op, each part being an op of its own: "name", "name.1", ..
  static std::string part_name(const std::string& name, std::size_t part);
  std::shared_ptr<const Space> shared(const Space& space) const { return {held_, &space}; }

  // lower_linear.cpp
  Matrix matrix(const NetworkOperation& linear, std::size_t output) const;
  /// The bias parameter of the output's feature 0; kNone if there is none.
  std::uint64_t bias(const NetworkOperation& linear, std::size_t output) const;
  void linear(const Step& step);
  void weight_gradient(const Step& step);
  void input_gradient(const Step& step);
  /// y = sum over inputs of W x, plus a bias, plus the array at `residual`.
  void gemm(OpBuilder builder, const std::vector<Input>& inputs, std::uint64_t bias, int residual, const Space& out,
            Argument y);
  /// Returns true, and sets `bases` to the one base, if outputs can be interleaved: a column has one beat of tokens,
  /// and one base reaches the arrays and the always-one feature, of which pads are weights.
  bool interleaves(std::vector<Reached> arrays, std::vector<Window>& bases) const;
  /// Groups of interleaved outputs: at most `each` outputs of a home row, `count` groups in all.
  struct Groups {
    int count, each;
  };
  static Groups groups_of(const Space& out);
  /// Interleaves a descriptor's outputs, with pads at local `ones`, and adds the kernel's arguments for that.
  static void interleave(StreamDescriptor& descriptor, int ones, std::vector<Argument>& arguments);
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
  void gradient_of_outputs(const Step& step, const std::vector<Input>& outputs);
  bool has_biases_behind(const NetworkOperation& linear, const std::vector<Input>& outputs) const;
  /// A space's features, preceded by one more on row 0.
  std::shared_ptr<const Space> with_one_before(const Space& space);
  /// Returns true if indexing the features of a linear's outputs is faster than sending their vectors round the ring:
  /// each vector sent takes its time, and so does each output with few weights in a row (docs/explanation/sparsity.md).
  bool indexes_outputs(const NetworkOperation& linear, const std::vector<Input>& outputs) const;
  /// "h.0.mlp.c_fc.db" of "h.0.mlp.c_fc.dw".
  static std::string bias_name(const std::string& of_weight);
  /// The group size of the gradient kernels for their indices.
  int even_group(const StreamCounts& counts) const;
  /// A descriptor over `out`'s features, without elements.
  StreamDescriptor descriptor_of(const Space& out,
                                 StreamDescriptor::Values values = StreamDescriptor::Values::Weights) const;
  std::vector<StreamDescriptor::Input> line(std::span<const Input> inputs, int base) const;
  std::vector<StreamDescriptor::Input> line(const Input& input, int base) const { return line({&input, 1}, base); }

  // lower_norm.cpp
  void norm(const Step& step);
  void affine(const Step& step);
  void scale_gradient(const Step& step);
  void norm_back(const Step& step);
  /// Returns true if a norm's scales and shifts are summed faster several slots at a time, and the program has the
  /// kernel. The indices of a single slot arrive while the previous slot is summed, 7 cycles an entry; those of
  /// NORM_SLOTS slots arrive before any slot is summed.
  bool sums_together() const;
  /// Returns true if gradients are returned for all of the tensor.
  bool is_trained(int tensor) const;
  /// A norm's scale, slot by slot, of the array at the kernel's base.
  StreamDescriptor scale_descriptor(const NetworkOperation& norm) const;
  /// A norm's shift as the weight of the always-one feature, if one base reaches both arrays; else nullopt.
  std::optional<StreamDescriptor::Own> shift_beside(const NetworkOperation& norm, int xhat) const;

  // lower_attention.cpp
  void rotary(const Step& step);
  void attention(const Step& step);
  void attention_back(const Step& step);
  /// A call of an attention kernel. `arrays`: addresses, increased to those of a head and sequence; `sequences`:
  /// addresses of vectors of tokens, increased to those of a sequence; `others`: further arguments, besides the head.
  struct HeadCall {
    std::string_view kernel;
    std::vector<Argument> arrays, others = {}, sequences = {};
  };
  /// Attention weights, at p; forward and backward compute them in the same way.
  HeadCall probs(int q, int k, int p) const;
  /// P, and later dS, in the lower layout at the place of P, at the end of SRAM. Vectors that are multiplied with their
  /// rows are in the lower half of SRAM, as dS is.
  HeadCall p_to_lower() const;
  HeadCall ds_to_lower() const;
  /// Runs the calls in order for every head of a row and every sequence of a column.
  void per_head(OpBuilder& builder, const std::vector<HeadCall>& calls) const;

  // lower_ends.cpp
  void embedding(const Step& step);
  void embedding_gradient(const Step& step);
  /// The table of tokens, one input for each block.
  std::vector<Input> one_hot(const NetworkOperation& embed) const;
  void one_hot_gradient(const std::string& name, const NetworkOperation& from, const Input& table, int ids);
  void gelu(const Step& step);
  void loss(const Step& step);
  void loss_back(const Step& step);
  /// Returns the logits of the one valid position.
  void logits(const Step& step);
  void flags(const Step& step);

  const ModelShape& model_;
  const WaferShape& wafer_;
  const Graph& graph_;
  const std::shared_ptr<const Spaces> held_;
  const Spaces& spaces_;
  const MemoryPlan& memory_;
  const std::vector<TensorInfo>& tensors_;
  const std::shared_ptr<const std::vector<bool>> kept_, trained_;
  const Program* const program_;
  std::set<std::string> called_;
  std::set<std::string> phases_;  // names in use: values made again, and operations of equal names, get further ones
  std::map<const Space*, std::shared_ptr<const Space>> with_one_before_;
};

}  // namespace weft
