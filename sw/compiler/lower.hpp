/// Steps of a schedule as ops of one wafer.
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

#include "sw/compiler/graph.hpp"
#include "sw/compiler/memory_plan.hpp"
#include "sw/compiler/op_builder.hpp"
#include "sw/compiler/plan.hpp"
#include "sw/compiler/prepared.hpp"
#include "sw/compiler/windows.hpp"

namespace weft {

class Lowering {
 public:
  /// `kept`: a bit for each parameter; null: all exist. `trained`: those that gradients come back of. `prepared` must
  /// outlive this. `program`: null as long as there is none (OpBuilder).
  Lowering(const Prepared& prepared, std::shared_ptr<const Spaces> spaces,
           std::shared_ptr<const std::vector<bool>> kept, std::shared_ptr<const std::vector<bool>> trained,
           const Program* program);

  /// What the ops of the schedule call where no mask takes anything away, of which the program is made; generation has
  /// the program of training. All but the program of `prepared` is there. A mask changes no base that a kernel needs,
  /// so all that it makes of a call is `gradient_local`, which every program has.
  static std::set<std::string> kernels_of(const Prepared& prepared);

  /// Appends the step's ops: one, none if an earlier step had its work, or two.
  void lower(const Step& step);
  std::vector<Op> ops;

 private:
  /// A matrix of parameters as a kernel sees it: element (in, out) is parameter offset + in*in_stride + out*out_stride.
  struct Matrix {
    std::uint64_t offset;
    int in_stride, out_stride;
    Matrix transposed() const { return {offset, out_stride, in_stride}; }
  };
  /// One input array of a GEMM: its placement, address and matrix. Only slots `from` to below `to` of it, the first of
  /// which lies at the address.
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
  /// Of a value's array, as Argument::each.
  int per_position(int value) const { return memory_.per_position(array_of(graph_.network, value)); }
  int gradient_address(int value) const { return memory_.at(graph_.gradient(value)); }
  std::uint64_t offset(const NetworkOperation& op, std::size_t tensor) const;
  int table(const Space& space) const;
  /// How many features there are, as a register counts them.
  static Argument outputs(const Space& out) { return {"outputs", out.features() & 0xffff}; }
  /// Of an array in a window that begins at `base`.
  int local(int address, int base) const { return (address - base) / memory_.tokens_per_column; }
  std::vector<Window> windows_of(const std::vector<Reached>& arrays) const;
  static std::vector<Reached> reached(const std::vector<Input>& inputs);
  /// As they are; but those of the vocabulary block by block.
  std::vector<Input> in_blocks(std::span<const Input> inputs) const;
  /// Of the parts of an op, each an op of its own: "name", "name.1", ..
  static std::string part_name(const std::string& name, std::size_t part);
  std::shared_ptr<const Space> shared(const Space& space) const { return {held_, &space}; }

  // lower_linear.cpp
  Matrix matrix(const NetworkOperation& linear, std::size_t output) const;
  /// Of its output 0; kNone if there is none.
  std::uint64_t bias(const NetworkOperation& linear, std::size_t output) const;
  void linear(const Step& step);
  void weight_gradient(const Step& step);
  void input_gradient(const Step& step);
  /// y = sum over inputs of W x, plus a bias, plus the array at `residual`.
  void gemm(OpBuilder builder, const std::vector<Input>& inputs, std::uint64_t bias, int residual, const Space& out,
            Argument y);
  /// Whether a column has one beat of tokens, and one base reaches the arrays and the always-one feature, which pads
  /// are weights of: then `bases` is that one.
  bool deals(std::vector<Reached> arrays, std::vector<Window>& bases) const;
  /// Outputs of a home row that are dealt together: `each` at most, and in all `count` times.
  struct Groups {
    int count, each;
  };
  static Groups groups_of(const Space& out);
  /// Deals a sweep's outputs, with pads at local `ones`, and tells the kernel.
  static void deal(Sweep& sweep, int ones, std::vector<Argument>& arguments);
  /// Gradients for all features of `out`, which go round, and of the sweep's inputs, which are indexed and lie in one
  /// window that begins at `base`. `one_before`: the always-one feature is an output, too, the first (with_one_before).
  void gradient(OpBuilder builder, Sweep sweep, int base, const Space& out, int dy, bool one_before);
  /// Of a linear's biases alone, by what is left of `outputs` (gradient_of_outputs): their features are indexed.
  void bias_gradient(const std::string& name, std::span<const Input> outputs, std::span<const std::uint64_t> biases);
  /// The same with both in each other's place: x goes round, of each gradient (its matrix as in the delta pass) the
  /// features are indexed. All of a linear's outputs together. The biases are the gradient of a feature of x that is
  /// always one, if they lie behind the weights; else they have an op of their own.
  void gradient_of_outputs(const Step& step, const std::vector<Input>& outputs);
  bool has_biases_behind(const NetworkOperation& linear, const std::vector<Input>& outputs) const;
  /// A space's features, and before them one more on row 0.
  std::shared_ptr<const Space> with_one_before(const Space& space);
  /// Whether features of a linear's outputs are better indexed than sent round: an output's vector takes its time, and
  /// so does an output with few weights in a row (docs/sparsity.md).
  bool indexes_outputs(const NetworkOperation& linear, const std::vector<Input>& outputs) const;
  /// "d.mlp.bias" of "d.mlp.weight".
  std::string bias_name(const NetworkOperation& linear, const std::string& of_weight) const;
  /// Of the gradient kernels, for their indices.
  int even_group(const SweepCounts& counts) const;
  /// Of `out`'s features, without taps yet.
  Sweep sweep_of(const Space& out, Sweep::Values values = Sweep::Values::Weights) const;
  std::vector<Sweep::Input> line(std::span<const Input> inputs, int base) const;
  std::vector<Sweep::Input> line(const Input& input, int base) const { return line({&input, 1}, base); }

  // lower_norm.cpp
  void norm(const Step& step);
  void affine(const Step& step);
  void scale_gradient(const Step& step);
  void norm_back(const Step& step);
  /// Whether a norm's scales and shifts are summed faster some slots at a time. The indices of a slot alone come while
  /// the slot before is summed, 7 cycles an entry; those of NORM_SLOTS slots come before any is.
  bool sums_together() const;
  /// All of it.
  bool is_trained(int tensor) const;
  /// A norm's scale, slot by slot, of the array at the kernel's base.
  Sweep scale_sweep(const NetworkOperation& norm) const;
  /// The shift is the weight of the always-one feature: with it, if one base reaches both; else nothing.
  std::optional<Sweep::Own> shift_beside(const NetworkOperation& norm, int xhat) const;

  // lower_attention.cpp
  void rotary(const Step& step);
  void attention(const Step& step);
  void attention_back(const Step& step);
  /// One kernel of attention: its arrays, of which it gets the place of a head and sequence, what else it takes besides
  /// the head, and vectors of tokens, of which it gets the place of a sequence.
  struct HeadCall {
    std::string_view kernel;
    std::vector<Argument> arrays, others = {}, sequences = {};
  };
  /// The weights of attention, at p, of the same keys and queries forward and backward.
  HeadCall probs(int q, int k, int p) const;
  /// P, and then dS, in the lower layout where P was. What meets a row of it is below then, as dS is.
  HeadCall p_to_lower() const;
  HeadCall ds_to_lower() const;
  /// Runs the calls in order for every head of a row and every sequence of a column.
  void per_head(OpBuilder& builder, const std::vector<HeadCall>& calls) const;

  // lower_ends.cpp
  void embedding(const Step& step);
  void embedding_gradient(const Step& step);
  /// The table of tokens, a block each.
  std::vector<Input> one_hot(const NetworkOperation& embed) const;
  void one_hot_gradient(const std::string& name, const NetworkOperation& from, const Input& table, int ids);
  void gelu(const Step& step);
  void loss(const Step& step);
  void loss_back(const Step& step);
  /// Of the one position that is valid.
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
  std::set<std::string> phases_;  // no two ops have one name: what is made again twice, what two operations are called
  std::map<const Space*, std::shared_ptr<const Space>> with_one_before_;
};

}  // namespace weft
