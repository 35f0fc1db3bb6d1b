#include "bench/plain/gpt.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/plain/layers.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::bench::plain {

Gpt::Gpt(const compiler::ModelShape& model, int sequences, std::vector<float> parameters)
    : m_(model),
      sequences_(sequences),
      tokens_(sequences * model.seq),
      tensors_(compiler::model_tensors(model)),
      parameters_(std::move(parameters)),
      gradients_(parameters_.size()),
      first_(parameters_.size()),
      second_(parameters_.size()),
      blocks_(static_cast<std::size_t>(model.layers)) {
  if (parameters_.size() != compiler::parameter_count(tensors_))
    throw std::invalid_argument("plain: parameters of another model");
  const auto room = [&](std::vector<float>& v, int of_a_token) {
    v.resize(static_cast<std::size_t>(tokens_) * of_a_token);
  };
  const auto norm = [&](Norm& n) { room(n.xhat, m_.hidden), room(n.y, m_.hidden), room(n.rstd, 1); };
  for (int n = 0; n < m_.layers; ++n) {
    const int first = 2 + 12 * n;  // after wte and wpe
    names_.push_back({first, first + 2, first + 4, first + 6, first + 8, first + 10});
    Block& b = blocks_[static_cast<std::size_t>(n)];
    norm(b.ln_1), norm(b.ln_2);
    room(b.qkv, 3 * m_.hidden), room(b.probs, m_.heads * m_.seq), room(b.heads, m_.hidden);
    room(b.fc, m_.filter), room(b.gelu, m_.filter);
  }
  norm(ln_f_);
  room(x_, m_.hidden), room(dx_, m_.hidden), room(dy_, m_.hidden);
  room(logits_, m_.vocab), room(dfc_, m_.filter), room(dqkv_, 3 * m_.hidden);
  scratch_.resize(static_cast<std::size_t>(m_.seq));
}

Gpt::Parameter Gpt::parameter(int tensor) {
  const std::uint64_t offset = tensors_[static_cast<std::size_t>(tensor)].offset;
  return {parameters_.data() + offset, gradients_.data() + offset};
}

void Gpt::norm(int tensor, const float* x, Norm& n) {
  layer_norm(x, parameter(tensor).w, parameter(tensor + 1).w, n.y.data(), n.xhat.data(), n.rstd.data(), tokens_,
             m_.hidden, m_.ln_eps);
}

void Gpt::norm_backward(int tensor, const Norm& n, const float* dy, float* dx) {
  layer_norm_backward(dy, parameter(tensor).w, n.xhat.data(), n.rstd.data(), dx, parameter(tensor).d,
                      parameter(tensor + 1).d, tokens_, m_.hidden);
}

/// Adds x * W + bias to y.
void Gpt::linear(int tensor, const float* x, float* y, int in, int out) {
  add_bias(parameter(tensor + 1).w, y, tokens_, out);
  multiply(x, parameter(tensor).w, y, tokens_, in, out);
}

/// Sets dx, and adds to the gradients of weights and bias.
void Gpt::linear_backward(int tensor, const float* x, const float* dy, float* dx, int in, int out) {
  std::fill_n(dx, tokens_ * in, 0.0F);
  multiply_transposed(dy, parameter(tensor).w, dx, tokens_, out, in);
  multiply_outer(x, dy, parameter(tensor).d, tokens_, in, out);
  sum_rows(dy, parameter(tensor + 1).d, tokens_, out);
}

void Gpt::block(const BlockNames& names, Block& b) {
  const int h = m_.hidden, size = h / m_.heads;
  norm(names.ln_1, x_.data(), b.ln_1);
  std::ranges::fill(b.qkv, 0.0F);
  linear(names.c_attn, b.ln_1.y.data(), b.qkv.data(), h, 3 * h);
  for (int s = 0; s < sequences_; ++s)
    attention(b.qkv.data() + s * m_.seq * 3 * h, b.heads.data() + s * m_.seq * h,
              b.probs.data() + s * m_.heads * m_.seq * m_.seq, m_.seq, m_.heads, size);
  linear(names.c_proj, b.heads.data(), x_.data(), h, h);
  norm(names.ln_2, x_.data(), b.ln_2);
  std::ranges::fill(b.fc, 0.0F);
  linear(names.c_fc, b.ln_2.y.data(), b.fc.data(), h, m_.filter);
  gelu(b.fc.data(), b.gelu.data(), tokens_ * m_.filter);
  linear(names.mlp_proj, b.gelu.data(), x_.data(), m_.filter, h);
}

void Gpt::block_backward(const BlockNames& names, const Block& b) {
  const int h = m_.hidden, size = h / m_.heads;
  linear_backward(names.mlp_proj, b.gelu.data(), dx_.data(), dfc_.data(), m_.filter, h);
  gelu_backward(b.fc.data(), dfc_.data(), dfc_.data(), tokens_ * m_.filter);
  linear_backward(names.c_fc, b.ln_2.y.data(), dfc_.data(), dy_.data(), h, m_.filter);
  norm_backward(names.ln_2, b.ln_2, dy_.data(), dx_.data());
  linear_backward(names.c_proj, b.heads.data(), dx_.data(), dy_.data(), h, h);
  std::ranges::fill(dqkv_, 0.0F);
  for (int s = 0; s < sequences_; ++s)
    attention_backward(b.qkv.data() + s * m_.seq * 3 * h, b.probs.data() + s * m_.heads * m_.seq * m_.seq,
                       dy_.data() + s * m_.seq * h, dqkv_.data() + s * m_.seq * 3 * h, scratch_.data(), m_.seq,
                       m_.heads, size);
  linear_backward(names.c_attn, b.ln_1.y.data(), dqkv_.data(), dy_.data(), h, 3 * h);
  norm_backward(names.ln_1, b.ln_1, dy_.data(), dx_.data());
}

/// Returns the mean loss; logits_ become its gradient.
float Gpt::head(std::span<const TokenId> labels) {
  const Parameter w = parameter(m_.tied ? 0 : static_cast<int>(tensors_.size()) - 1);
  std::ranges::fill(logits_, 0.0F);
  multiply_transposed(ln_f_.y.data(), w.w, logits_.data(), tokens_, m_.hidden, m_.vocab);
  double loss = 0;
  for (int t = 0; t < tokens_; ++t) {
    float* logits = logits_.data() + t * m_.vocab;
    loss += softmax_loss(logits, m_.vocab, labels[static_cast<std::size_t>(t)]);
    logits[labels[static_cast<std::size_t>(t)]] -= 1;
    for (int v = 0; v < m_.vocab; ++v) logits[v] /= static_cast<float>(tokens_);
  }
  multiply_outer(logits_.data(), ln_f_.y.data(), w.d, tokens_, m_.vocab, m_.hidden);
  std::ranges::fill(dy_, 0.0F);
  multiply(logits_.data(), w.w, dy_.data(), tokens_, m_.vocab, m_.hidden);
  return static_cast<float>(loss / tokens_);
}

float Gpt::gradient(std::span<const TokenId> inputs, std::span<const TokenId> labels) {
  const int h = m_.hidden;
  const Parameter wte = parameter(0), wpe = parameter(1);
  const auto each = [&](auto f) {  // f(element of the stream, of wte, of wpe)
    for (int t = 0; t < tokens_; ++t)
      for (int i = 0; i < h; ++i) f(t * h + i, inputs[static_cast<std::size_t>(t)] * h + i, t % m_.seq * h + i);
  };
  std::ranges::fill(gradients_, 0.0F);
  each([&](int x, int token, int position) { x_[static_cast<std::size_t>(x)] = wte.w[token] + wpe.w[position]; });
  for (std::size_t n = 0; n < blocks_.size(); ++n) block(names_[n], blocks_[n]);
  const int ln_f = 2 + 12 * m_.layers;
  norm(ln_f, x_.data(), ln_f_);

  const float loss = head(labels);
  std::ranges::fill(dx_, 0.0F);
  norm_backward(ln_f, ln_f_, dy_.data(), dx_.data());
  for (std::size_t n = blocks_.size(); n-- > 0;) block_backward(names_[n], blocks_[n]);
  each([&](int x, int token, int position) {
    wte.d[token] += dx_[static_cast<std::size_t>(x)];
    wpe.d[position] += dx_[static_cast<std::size_t>(x)];
  });
  return loss;
}

void Gpt::update(const AdamW& o) {
  ++step_;
  double squares = 0;
  for (const float g : gradients_) squares += static_cast<double>(g) * g;
  const auto clip = static_cast<float>(std::min(1.0, o.max_gradient_norm / (std::sqrt(squares) + 1e-6)));
  const float rate = o.learning_rate / (1 - std::pow(o.beta1, static_cast<float>(step_)));
  const float root = 1 / std::sqrt(1 - std::pow(o.beta2, static_cast<float>(step_)));
  for (const compiler::TensorInfo& tensor : tensors_) {
    const float keep = tensor.decay ? 1 - o.learning_rate * o.weight_decay : 1;
    for (std::uint64_t i = tensor.offset; i < tensor.offset + tensor.size; ++i) {
      const float g = clip * gradients_[i];
      first_[i] = o.beta1 * first_[i] + (1 - o.beta1) * g;
      second_[i] = o.beta2 * second_[i] + (1 - o.beta2) * g * g;
      parameters_[i] = keep * parameters_[i] - rate * first_[i] / (std::sqrt(second_[i]) * root + o.eps);
    }
  }
}

}  // namespace weft::bench::plain
