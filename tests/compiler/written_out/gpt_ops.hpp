/// The ops of one micro-batch of GPT-2, in the order they are streamed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sw/compiler/plan/plan.hpp"
#include "tests/compiler/gpt2_memory.hpp"
#include "tests/compiler/written_out/op_builder.hpp"

namespace weft::compiler::written_out {

class GptOps {
 public:
  GptOps(const ModelShape& model, const machine::WaferShape& wafer, const Spaces& spaces, const Gpt2Memory& memory,
         const std::vector<TensorInfo>& tensors, std::vector<bool> kept, const assembler::Program& program);

  void forward();     ///< ends with the op that returns the loss
  void backward();    ///< ends with the op that returns the sticky flags
  void generation();  ///< forward to the logits, which are returned, then the sticky flags
  std::vector<WrittenOp> ops;

 private:
  /// A matrix of parameters as a kernel sees it: element (in, out) is parameter offset + in*in_stride + out*out_stride.
  struct Matrix {
    std::uint64_t offset;
    int in_stride, out_stride;
    std::uint64_t at(int in, int out) const {
      return offset + static_cast<std::uint64_t>(in) * in_stride + static_cast<std::uint64_t>(out) * out_stride;
    }
  };
  /// One input array of a GEMM: its placement, address and matrix.
  struct Input {
    const Space& space;
    int address;
    Matrix weights;
  };

  int tensor(std::string_view name) const;
  std::uint64_t offset(std::string_view name) const { return tensors_[tensor(name)].offset; }
  std::string layer_name(int layer, std::string_view rest) const;
  int table(const Space& space) const;
  int local(int address, int base) const { return (address - base) / memory_.tokens_per_column; }
  OpBuilder op(std::string name) const { return {wafer_, program_, std::move(name), kept_}; }
  void add(OpBuilder& builder) { ops.push_back(builder.take()); }

  /// y = sum over inputs of W x, plus a bias, plus (for the residual stream) the present content of y. The first
  /// input's address is the lowest. `bias`: index of the bias of output 0 in the flat parameters, or kNoBias.
  void gemm(OpBuilder builder, const std::vector<Input>& inputs, std::uint64_t bias, bool residual, const Space& out,
            int y);
  /// Gradients for all features of `out`, which are broadcast, and of inputs, which are indexed.
  void gradient(OpBuilder builder, const std::vector<Input>& inputs, std::uint64_t bias, const Space& out, int dy);
  /// Gradients of the weights of one input, and of the bias: `out`'s deltas are broadcast, the input's features are
  /// indexed.
  void weight_gradient(OpBuilder builder, const Input& input, std::uint64_t bias, const Space& out, int dy);
  /// The transposed variant of weight_gradient: x is broadcast, and the features of each delta are indexed (with
  /// matrices as in the delta pass). The first delta has the lowest address. The stream has an output for each feature
  /// of x; if `biased`, an output for the always-one feature precedes them.
  void weight_gradient_of(OpBuilder builder, const std::vector<Input>& deltas, bool biased, const Input& x);
  /// The faster of the two variants (docs/explanation/sparsity.md). `bias`: the first bias, behind the matrix, or
  /// kNoBias.
  void weight_gradients(const std::string& linear, std::string_view matrix, const Input& x, std::uint64_t bias,
                        const std::vector<Input>& deltas);
  static constexpr std::uint64_t kNoBias = ~std::uint64_t{0};

  void layernorm(std::string name, int x, int xhat, int rstd);
  /// `again`: recomputation in the backward pass.
  void affine(const std::string& norm, int xhat, int y, bool again = false);
  /// The gradients of scale and shift, then the residual stream's: dresidual += d norm / d x.
  void layernorm_back(const std::string& norm, int xhat, int rstd);
  /// True if the gradients of the norm's scale and shift are summed for several slots at a time.
  bool sums_together(const std::string& norm) const;
  /// One output of a LayerNorm's scale (and shift) for every slot.
  std::vector<Element> affine_elements(const std::string& norm, int slot, int base, bool shift) const;

  void embedding();
  void embedding_gradient();
  void attention(const std::string& layer, const Gpt2Memory::Layer& memory);
  void attention_back(const std::string& layer, const Gpt2Memory::Layer& memory);
  /// One kernel of attention: its arrays, each passed at the place of a head and sequence, and its other arguments
  /// besides the head.
  struct HeadCall {
    std::string_view kernel;
    std::vector<Argument> arrays, others = {};
  };
  /// Runs the calls in order for every head of a row and every sequence of a column.
  void per_head(OpBuilder& builder, const std::vector<HeadCall>& calls) const;

  void logits();           ///< the forward ops up to the logits
  void returned_logits();  ///< the logits of the only valid position
  void flags();

  void layer_forward(int l);
  void layer_backward(int l);
  Matrix head_matrix() const;  ///< in: hidden, out: vocabulary

  const ModelShape& model_;
  const machine::WaferShape& wafer_;
  const Spaces& spaces_;
  const Gpt2Memory& memory_;
  const std::vector<TensorInfo>& tensors_;
  const std::vector<bool> kept_;  // [parameters], or empty: all
  const assembler::Program& program_;
};

}  // namespace weft::compiler::written_out
