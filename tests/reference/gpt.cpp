#include "tests/reference/gpt.hpp"

#include <bit>
#include <cmath>

#include "sw/base/bf16.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/reference/layers.hpp"

namespace weft::reference {
namespace {

class Gpt {
 public:
  Gpt(const compiler::ModelShape& model, const std::vector<compiler::TensorInfo>& tensors, Values params)
      : m_(model), tensors_(tensors), params_(std::move(params)) {
    out_.grad.assign(params_.size(), 0);
  }

  ReferenceResult run(std::span<const TokenId> inputs, std::span<const TokenId> labels) {
    embed(inputs);
    std::string x = "embed";
    for (int n = 0; n < m_.layers; ++n) x = block("h." + std::to_string(n) + ".", x);
    norm("ln_f", x, "ln_f");
    head();
    loss(labels);

    head_backward();
    norm_backward("ln_f", x, "ln_f");
    for (int n = m_.layers - 1; n >= 0; --n) {
      const std::string above = n > 0 ? "h." + std::to_string(n - 1) + ".residual_2" : "embed";
      block_backward("h." + std::to_string(n) + ".", above);
    }
    embed_backward(inputs);
    return std::move(out_);
  }

 private:
  Const param(const std::string& name) const {
    const compiler::TensorInfo& t = compiler::find_tensor(tensors_, name);
    return Const(params_).subspan(t.offset, t.size);
  }
  Grad grad(const std::string& name) {
    const compiler::TensorInfo& t = compiler::find_tensor(tensors_, name);
    return Grad(out_.grad).subspan(t.offset, t.size);
  }
  Values& act(const std::string& name) { return out_.activations[name]; }
  /// The gradient of an activation, initially zero.
  Values& d(const std::string& name) {
    Values& values = out_.activations["d " + name];
    values.resize(act(name).size());
    return values;
  }

  void norm(const std::string& name, const std::string& x, const std::string& y) {
    act(y) = layer_norm(act(x), param(name + ".weight"), param(name + ".bias"), m_.ln_eps);
  }
  void norm_backward(const std::string& name, const std::string& x, const std::string& y) {
    layer_norm_backward(act(x), param(name + ".weight"), d(y), m_.ln_eps, d(x), grad(name + ".weight"),
                        grad(name + ".bias"));
  }
  void dense(const std::string& name, const std::string& x, int in, int out) {
    act(name) = linear(act(x), param(name + ".weight"), param(name + ".bias"), in, out);
  }
  void dense_backward(const std::string& name, const std::string& x, int in, int out) {
    linear_backward(act(x), param(name + ".weight"), d(name), in, out, d(x), grad(name + ".weight"),
                    grad(name + ".bias"));
  }
  void residual(const std::string& x, const std::string& branch, const std::string& y) {
    act(y) = act(x);
    for (std::size_t i = 0; i < act(y).size(); ++i) act(y)[i] += act(branch)[i];
  }
  void residual_backward(const std::string& x, const std::string& branch, const std::string& y) {
    for (std::size_t i = 0; i < act(y).size(); ++i) {
      d(x)[i] += d(y)[i];
      d(branch)[i] += d(y)[i];
    }
  }

  void embed(std::span<const TokenId> inputs) {
    Values& x = act("embed");
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      const int place = static_cast<int>(t % static_cast<std::size_t>(m_.seq));
      first_.push_back(place == 0 ? 0 : static_cast<int>(inputs[t - 1]) == m_.document_end ? place : first_.back());
    }
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      for (int i = 0; i < m_.hidden; ++i) {
        x.push_back(param("wte.weight")[inputs[t] * m_.hidden + i] + param("wpe.weight")[t % m_.seq * m_.hidden + i]);
      }
    }
  }
  void embed_backward(std::span<const TokenId> inputs) {
    const Values& dx = d("embed");
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      for (int i = 0; i < m_.hidden; ++i) {
        grad("wte.weight")[inputs[t] * m_.hidden + i] += dx[t * m_.hidden + i];
        grad("wpe.weight")[t % m_.seq * m_.hidden + i] += dx[t * m_.hidden + i];
      }
    }
  }

  std::string block(const std::string& h, const std::string& x) {
    norm(h + "ln_1", x, h + "ln_1");
    dense(h + "attn.c_attn", h + "ln_1", m_.hidden, 3 * m_.hidden);
    act(h + "attn.heads") =
        attention(act(h + "attn.c_attn"), m_.hidden, m_.heads, m_.seq, act(h + "attn.probs"), first_);
    dense(h + "attn.c_proj", h + "attn.heads", m_.hidden, m_.hidden);
    residual(x, h + "attn.c_proj", h + "residual_1");
    norm(h + "ln_2", h + "residual_1", h + "ln_2");
    dense(h + "mlp.c_fc", h + "ln_2", m_.hidden, m_.filter);
    act(h + "mlp.gelu") = gelu(act(h + "mlp.c_fc"));
    dense(h + "mlp.c_proj", h + "mlp.gelu", m_.filter, m_.hidden);
    residual(h + "residual_1", h + "mlp.c_proj", h + "residual_2");
    return h + "residual_2";
  }
  void block_backward(const std::string& h, const std::string& x) {
    residual_backward(h + "residual_1", h + "mlp.c_proj", h + "residual_2");
    dense_backward(h + "mlp.c_proj", h + "mlp.gelu", m_.filter, m_.hidden);
    gelu_backward(act(h + "mlp.c_fc"), d(h + "mlp.gelu"), d(h + "mlp.c_fc"));
    dense_backward(h + "mlp.c_fc", h + "ln_2", m_.hidden, m_.filter);
    norm_backward(h + "ln_2", h + "residual_1", h + "ln_2");
    residual_backward(x, h + "attn.c_proj", h + "residual_1");
    dense_backward(h + "attn.c_proj", h + "attn.heads", m_.hidden, m_.hidden);
    attention_backward(act(h + "attn.c_attn"), act(h + "attn.probs"), d(h + "attn.heads"), m_.hidden, m_.heads, m_.seq,
                       d(h + "attn.probs"), d(h + "attn.c_attn"));
    dense_backward(h + "attn.c_attn", h + "ln_1", m_.hidden, 3 * m_.hidden);
    norm_backward(h + "ln_1", x, h + "ln_1");
  }

  // The output head's weight is [vocab][hidden], transposed with respect to a linear layer's.
  void head() {
    const Const w = param(head_), x = act("ln_f");
    Values& logits = act("logits");
    for (std::size_t at = 0; at < x.size(); at += m_.hidden) {
      for (int v = 0; v < m_.vocab; ++v) {
        double sum = 0;
        for (int i = 0; i < m_.hidden; ++i) sum += x[at + i] * w[v * m_.hidden + i];
        logits.push_back(sum);
      }
    }
  }
  void head_backward() {
    const Const w = param(head_), x = act("ln_f"), dy = d("logits");
    const Grad dw = grad(head_), dx = d("ln_f");
    for (std::size_t t = 0; t < x.size() / m_.hidden; ++t) {
      for (int v = 0; v < m_.vocab; ++v) {
        for (int i = 0; i < m_.hidden; ++i) {
          dx[t * m_.hidden + i] += dy[t * m_.vocab + v] * w[v * m_.hidden + i];
          dw[v * m_.hidden + i] += dy[t * m_.vocab + v] * x[t * m_.hidden + i];
        }
      }
    }
  }
  void loss(std::span<const TokenId> labels) {
    const Values& logits = act("logits");
    for (std::size_t t = 0; t < labels.size(); ++t) {
      const Const row = Const(logits).subspan(t * m_.vocab, m_.vocab);
      double max = -INFINITY, sum = 0;
      for (double x : row) max = std::max(max, x);
      for (double x : row) sum += std::exp(x - max);
      double loss = std::log(sum) + max;
      for (int v = 0; v < m_.vocab; ++v) {
        const double label = (v == static_cast<int>(labels[t]) ? 1 - m_.smoothing() : 0) + m_.smoothing() / m_.vocab;
        d("logits")[t * m_.vocab + v] = std::exp(row[v] - max) / sum - label;
        loss -= label * row[v];
      }
      act("loss").push_back(loss);
      out_.loss_sum += act("loss").back();
    }
  }

  const compiler::ModelShape& m_;
  const std::vector<compiler::TensorInfo>& tensors_;
  const Values params_;
  const std::string head_ = m_.tied ? "wte.weight" : "lm_head.weight";
  ReferenceResult out_;
  std::vector<int> first_;  // [token]: first position of its document within its sequence
};

}  // namespace

float round_to_bf16(float x) { return as_float(widen(to_bf16(as_bits(x)))); }

ReferenceResult reference_gpt(const compiler::ModelShape& model, const std::vector<compiler::TensorInfo>& tensors,
                              std::span<const float> params, std::span<const TokenId> inputs,
                              std::span<const TokenId> labels, bool round_weights_to_bf16) {
  Values values;
  for (float x : params) values.push_back(round_weights_to_bf16 ? round_to_bf16(x) : x);
  return Gpt(model, tensors, std::move(values)).run(inputs, labels);
}

}  // namespace weft::reference
