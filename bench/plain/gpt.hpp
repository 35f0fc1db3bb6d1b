/// A straightforward single-threaded GPT-2 trainer for a CPU, in fp32: the baseline for the functional model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sw/compiler/plan/plan.hpp"

namespace weft::bench::plain {

struct AdamW {
  float learning_rate = 1e-3F, beta1 = 0.9F, beta2 = 0.95F, eps = 1e-8F, weight_decay = 0.1F;
  float max_gradient_norm = 1;
};

class Gpt {
 public:
  /// `parameters` must be laid out by model_tensors(model). Batches have `sequences` sequences.
  Gpt(const compiler::ModelShape& model, int sequences, std::vector<float> parameters);

  /// Computes gradients(). Inputs and labels: [sequences][model.seq]. Returns the mean loss per token in nats.
  float gradient(std::span<const TokenId> inputs, std::span<const TokenId> labels);
  /// One step of AdamW along gradients().
  void update(const AdamW& options);

  const std::vector<float>& parameters() const { return parameters_; }
  /// Gradients of the mean loss.
  const std::vector<float>& gradients() const { return gradients_; }

 private:
  /// A tensor's weights and their gradient.
  struct Parameter {
    const float* w;
    float* d;
  };
  /// Values of a layer norm saved for the backward pass: its normalized input, and its output.
  struct Norm {
    std::vector<float> xhat, rstd, y;
  };
  /// Values of a block saved for the backward pass: [tokens][...] each.
  struct Block {
    Norm ln_1, ln_2;
    std::vector<float> qkv, probs, heads, fc, gelu;
  };
  struct BlockNames {
    int ln_1, c_attn, c_proj, ln_2, c_fc, mlp_proj;  ///< index of each weight tensor; its bias is the next one
  };

  Parameter parameter(int tensor);
  void norm(int tensor, const float* x, Norm& norm);
  void norm_backward(int tensor, const Norm& norm, const float* dy, float* dx);
  void linear(int tensor, const float* x, float* y, int in, int out);
  void linear_backward(int tensor, const float* x, const float* dy, float* dx, int in, int out);
  void block(const BlockNames& names, Block& b);
  void block_backward(const BlockNames& names, const Block& b);
  float head(std::span<const TokenId> labels);

  const compiler::ModelShape m_;
  const int sequences_, tokens_;
  const std::vector<compiler::TensorInfo> tensors_;
  std::vector<float> parameters_, gradients_, first_, second_;
  std::vector<BlockNames> names_;
  std::vector<Block> blocks_;
  Norm ln_f_;
  std::vector<float> x_, logits_;  ///< the residual stream
  std::vector<float> dx_, dy_, dfc_, dqkv_, scratch_;
  int step_ = 0;
};

}  // namespace weft::bench::plain
