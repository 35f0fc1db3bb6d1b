/// Tools that the lowering of all kinds of operations needs: arrays and their addresses, windows, stream descriptors,
/// heads.
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
#include "sw/compiler/program/kernels.hpp"
#include "sw/compiler/stream/op.hpp"
#include "sw/machine/shape.hpp"
#include "sw/network/schedule.hpp"

namespace weft::compiler {

/// Result of lowering so far.
struct Lowered {
  std::vector<Op> ops;
  Kernels kernels;
  std::set<std::string> phases;  ///< names in use: values made again, and operations of equal names, get further ones
  std::map<const Space*, std::shared_ptr<const Space>> with_one_before;
};

class LoweringTools {
 public:
  /// `kept`: a bit for each parameter; null: all exist. `trained`: the parameters for which gradients are returned.
  /// `layout` and `lowered` must outlive this. `program`: null as long as there is none (OpBuilder).
  LoweringTools(const Layout& layout, std::shared_ptr<const Spaces> spaces,
                std::shared_ptr<const std::vector<bool>> kept, std::shared_ptr<const std::vector<bool>> trained,
                const assembler::Program* program, Lowered& lowered);

 protected:
  /// A matrix of parameters as a kernel sees it: element (in, out) is parameter offset + in*in_stride + out*out_stride,
  /// where features that are copies have the numbers of the tensor's features.
  struct Matrix {
    std::uint64_t offset;
    int in_stride, out_stride;
    HeadCopies in_copies = {}, out_copies = {};
    Matrix transposed() const { return {offset, out_stride, in_stride, out_copies, in_copies}; }
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
  void add(OpBuilder& builder) const;
  const Space& space(int value) const { return spaces_.of(graph_.network.value(value).role); }
  int address(int value) const { return memory_.at(network::array_of(graph_.network, value)); }
  /// Argument::each of the address of a value's array.
  int per_position(int value) const { return memory_.per_position(network::array_of(graph_.network, value)); }
  int gradient_address(int value) const { return memory_.at(graph_.gradient(value)); }
  std::uint64_t offset(const network::NetworkOperation& op, std::size_t tensor) const;
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

  /// Lets the op return a loss: two words for each token of row 0's columns.
  void returns_loss(OpBuilder& builder) const;
  /// Clears the gradients to which later steps add.
  void clear(OpBuilder& builder, const network::Step& step) const;

  /// Beats of a column's tokens.
  int beats() const { return memory_.tokens_per_column / wafer_.lanes; }
  /// Groups of interleaved outputs: at most `each` outputs of a home row, `count` groups in all.
  struct Groups {
    int count, each;
    double cycles;  ///< of a row with `weights` weights of each output; 0: unknown
  };
  /// Groups of about 16 entries, or of another size that takes fewer cycles: a home row's last group costs as much as a
  /// whole one, with pads for missing outputs, unless weights are numbered. `weights`: of an output in a row; 0: the
  /// size follows from the entries alone.
  Groups groups_of(const Space& out, bool numbered, int weights) const;
  Groups in_groups(const Space& out, int each, bool numbered, int weights) const;
  /// Weights of an output in the fullest row; without scales and shifts of a norm.
  static int weights_of_row(const StreamDescriptor& descriptor);
  /// Returns true if outputs of a home row can be interleaved by `kernel`, and vectors are too short to hide a
  /// multiply-add's latency (docs/explanation/short_vectors.md). False for a board, whose link sends outputs with equal
  /// indices in fewer bytes (board_link.md, RUN).
  bool has_short_vectors(const Space& out, std::string_view kernel) const;
  /// Interleaves a descriptor's outputs, with pads at local ones[line].
  void interleave(StreamDescriptor& descriptor, std::vector<int> ones, bool numbered = false) const;
  /// Arguments of a kernel that takes interleaved outputs.
  void add_groups(const StreamDescriptor& descriptor, std::vector<Argument>& arguments) const;
  /// Returns true if an interleaved stream takes fewer cycles than the same elements output by output.
  bool is_faster_interleaved(const StreamDescriptor& interleaved) const;
  /// Cycles of `out`'s partial sums, `together` outputs each, with the given numbers of elements: of main or of psum,
  /// whichever takes longer in a home row.
  double cycles(const Space& out, const IndexCounts& fullest, int together) const;
  /// Records a kernel that is called with some masks, or where another one has no room.
  void needs(const std::string& kernel) const {
    if (program_ == nullptr) lowered_.kernels.called.insert(kernel);
  }
  /// Records a kernel that is called with some masks in place of an interleaved one, if the program has it.
  void may_call(const std::string& kernel) const {
    if (program_ == nullptr) lowered_.kernels.fallbacks.insert(kernel);
  }
  /// Returns true if a kernel is part of the program, or may become one.
  bool has(std::string_view kernel) const { return program_ == nullptr || program_->kernel(kernel) != nullptr; }
  /// The group size of the gradient kernels for their indices.
  int even_group(const StreamCounts& counts) const;
  /// A descriptor over `out`'s features, without elements.
  StreamDescriptor descriptor_of(const Space& out,
                                 StreamDescriptor::Values values = StreamDescriptor::Values::Weights) const;
  std::vector<StreamDescriptor::Input> line(std::span<const Input> inputs, int base) const;
  std::vector<StreamDescriptor::Input> line(const Input& input, int base) const { return line({&input, 1}, base); }

  /// A call of an attention kernel. `arrays`: addresses, increased to those of a head and sequence; `sequences`:
  /// addresses of vectors of tokens, increased to those of a sequence; `others`: further arguments, besides the head.
  struct HeadCall {
    std::string_view kernel;
    std::vector<Argument> arrays, others = {}, sequences = {};
  };
  /// Runs the calls in order for every head of a row and every sequence of a column.
  void per_head(OpBuilder& builder, const std::vector<HeadCall>& calls) const;

  const ModelShape& model_;
  const machine::WaferShape& wafer_;
  const Graph& graph_;
  const std::shared_ptr<const Spaces> held_;
  const Spaces& spaces_;
  const MemoryPlan& memory_;
  const std::vector<TensorInfo>& tensors_;
  const std::shared_ptr<const std::vector<bool>> kept_, trained_;
  const assembler::Program* const program_;
  Lowered& lowered_;
};

}  // namespace weft::compiler
