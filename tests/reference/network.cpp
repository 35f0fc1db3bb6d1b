#include "tests/reference/network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <random>

#include "sw/compiler/model/losses.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/reference/elementwise.hpp"
#include "tests/reference/gpt.hpp"
#include "tests/reference/layers.hpp"

namespace weft::reference {
namespace {

using Kind = network::NetworkOperation::Kind;

class Evaluator {
 public:
  Evaluator(const compiler::ModelShape& model, std::span<const float> params, std::span<const TokenId> inputs,
            std::span<const TokenId> labels, unsigned roundings, compiler::DropoutSamples samples)
      : m_(model),
        samples_(samples),
        rounds_(roundings > 0),
        roundings_(roundings),
        random_(roundings),
        network_(network::find_network(model.network, compiler::sizes_of(model))),
        tensors_(compiler::model_tensors(model, network_)),
        inputs_(inputs),
        labels_(labels),
        losses_(compiler::losses_of(network_)),
        values_(network_.values.size()),
        gradients_(network_.values.size()) {
    for (const float p : params) params_.push_back(round_to_bf16(p));
    out_.grad.assign(params_.size(), 0);
  }

  NetworkResult run() {
    for (const network::NetworkOperation& op : network_.operations) forward(op), round(op, values_);
    for (std::size_t v = 0; v < values_.size(); ++v) gradients_[v].resize(values_[v].size());
    for (auto op = network_.operations.rbegin(); op != network_.operations.rend(); ++op)
      round(*op, gradients_), backward(*op);
    return std::move(out_);
  }

 private:
  const compiler::TensorInfo& tensor(const network::NetworkOperation& op, std::size_t n) const {
    return tensors_[static_cast<std::size_t>(op.tensors[n])];
  }
  Const param(const network::NetworkOperation& op, std::size_t n) const {
    return Const(params_).subspan(tensor(op, n).offset, tensor(op, n).size);
  }
  Grad grad(const network::NetworkOperation& op, std::size_t n) {
    return Grad(out_.grad).subspan(tensor(op, n).offset, tensor(op, n).size);
  }
  Const shift(const network::NetworkOperation& norm) const {
    return norm.tensors.size() > 1 ? param(norm, 1) : Const{};
  }
  Values& value(int v) { return values_[static_cast<std::size_t>(v)]; }
  Values& d(int v) { return gradients_[static_cast<std::size_t>(v)]; }
  /// Rounds an operation's outputs, or their gradients, to one of the two nearest bf16 each.
  void round(const network::NetworkOperation& op, std::vector<Values>& arrays) {
    if (!rounds_) return;
    for (const int v : op.out) {
      for (double& x : arrays[static_cast<std::size_t>(v)]) {
        if (x == 0) continue;
        const double ulp = std::ldexp(1.0, std::ilogb(x) - 7), part = static_cast<double>(random_()) * 0x1p-32;
        x = ulp * std::floor(x / ulp + part);
      }
    }
  }
  /// The shift that moves values past a jump of the slope at 0, as roundings can: part of their mean size, up for even
  /// numbers of `roundings` and down for odd ones, so that two references cover jumps both ways.
  double jump_shift(const Values& x) {
    double sum = 0;
    for (const double one : x) sum += std::abs(one);
    return (roundings_ % 2 == 0 ? sum : -sum) / (64 * static_cast<double>(x.size()));
  }
  std::size_t tokens() const { return inputs_.size(); }
  std::size_t hidden() const { return static_cast<std::size_t>(m_.hidden); }
  /// The row of an embedding's n-th table for a token.
  std::size_t row(const network::NetworkOperation& embed, std::size_t n, std::size_t t) const {
    const network::Role role = tensor(embed, n).roles[0];
    return role == network::Role::Position  ? place(t)
           : role == network::Role::Segment ? static_cast<std::size_t>(segment_of(inputs_[t]))
                                            : token_of(inputs_[t]);
  }
  std::size_t features(int v) { return value(v).size() / tokens(); }

  /// Index of element (in, out) of output n in a linear's weight.
  std::size_t element(const network::NetworkOperation& op, std::size_t n, std::size_t in, std::size_t out,
                      std::size_t outs) {
    const auto columns = static_cast<std::size_t>(tensor(op, 0).dims[1]);
    return op.out_by_in ? (n * outs + out) * columns + in : in * columns + n * outs + out;
  }
  std::size_t outs(const network::NetworkOperation& op) const {
    return static_cast<std::size_t>(tensor(op, 0).dims[op.out_by_in ? 0 : 1]) / op.out.size();
  }

  void forward(const network::NetworkOperation& op) {
    switch (op.kind) {
      case Kind::Embed:
        for (std::size_t t = 0; t < tokens(); ++t)
          for (std::size_t i = 0; i < hidden(); ++i) {
            double sum = 0;
            for (std::size_t n = 0; n < op.tensors.size(); ++n) sum += param(op, n)[row(op, n, t) * hidden() + i];
            value(op.out[0]).push_back(sum);
          }
        break;
      case Kind::Rotary:
        for (std::size_t n = 0; n < op.in.size(); ++n) turn(value(op.in[n]), value(op.out[n]), 1);
        break;
      case Kind::Norm:
        value(op.out[0]) = layer_norm(value(op.in[0]), param(op, 0), shift(op), m_.ln_eps, op.centers);
        break;
      case Kind::Linear:
        for (std::size_t n = 0; n < op.out.size(); ++n) linear(op, n);
        break;
      case Kind::Elementwise:
        elementwise_forward(op);
        break;
      case Kind::Attention:
        value(op.out[0]) = reference::attention(beside(op.in, values_), m_.hidden, m_.heads, m_.seq, probs_[&op],
                                                op.causal ? first_of_documents() : std::vector<int>{},
                                                op.causal ? std::vector<int>{} : documents(), weight_factors(op));
        break;
      case Kind::Loss:
      case Kind::ClassLoss:
        loss(op);
        break;
      case Kind::SquaredError:
        squared_error(op);
        break;
      case Kind::Dropout:
        value(op.out[0]) = dropped(op, value(op.in[0]));
        for (std::size_t k = 0; op.add >= 0 && k < value(op.out[0]).size(); ++k)
          value(op.out[0])[k] += value(op.add)[k];
    }
  }

  /// Rotations of a position per token, of pair `pair`; scaled as in transformers' modeling_rope_utils.py.
  double frequency(std::size_t pair) const {
    const compiler::RotaryAngles& r = m_.rotary;
    const double own = std::pow(r.theta, -2.0 * static_cast<double>(pair) / m_.rotary_dim);
    if (r.scaling == "linear") return own / r.factor;
    if (r.scaling == "none") return own;
    const double wave = 2 * std::acos(-1.0) / own;
    if (wave < r.original_length / r.high_turns) return own;
    if (wave > r.original_length / r.low_turns) return own / r.factor;
    const double smooth = (r.original_length / wave - r.low_turns) / (r.high_turns - r.low_turns);
    return (1 - smooth) * own / r.factor + smooth * own;
  }

  /// Adds x to y, with pairs rotated by their positions' angles.
  void turn(const Values& x, Values& y, int sign) const {
    y.resize(x.size());
    const auto hidden = static_cast<std::size_t>(m_.hidden), dim = hidden / static_cast<std::size_t>(m_.heads),
               rotated = static_cast<std::size_t>(m_.rotary_dim);
    const bool halves = m_.rotary.layout == "halves";
    for (std::size_t head = 0; head < x.size(); head += dim) {
      const auto t = static_cast<double>(place(head / hidden));
      for (std::size_t pair = 0; pair < rotated / 2; ++pair) {
        const std::size_t a = head + (halves ? pair : 2 * pair), b = halves ? a + rotated / 2 : a + 1;
        const double angle = t * frequency(pair);
        y[a] += x[a] * std::cos(angle) - sign * x[b] * std::sin(angle);
        y[b] += x[b] * std::cos(angle) + sign * x[a] * std::sin(angle);
      }
      for (std::size_t j = rotated; j < dim; ++j) y[head + j] += x[head + j];
    }
  }

  /// The heads of queries that share a head of keys and values, if the linear computes these; else 1.
  std::size_t shares(const network::NetworkOperation& op) const {
    const bool kv = tensor(op, 0).roles[op.out_by_in ? 0 : 1] == network::Role::KvHead && m_.kv_heads > 0;
    return kv ? static_cast<std::size_t>(m_.heads / m_.kv_heads) : 1;
  }
  /// The feature of the tensor for a feature of the heads of queries.
  std::size_t of_group(std::size_t feature, std::size_t shares) const {
    const auto dim = static_cast<std::size_t>(m_.hidden / m_.heads);
    return shares == 1 ? feature : feature / dim / shares * dim + feature % dim;
  }

  void linear(const network::NetworkOperation& op, std::size_t n) {
    const Values& x = value(op.in[0]);
    const std::size_t in = features(op.in[0]), own = outs(op), several = shares(op), out = own * several;
    Values& y = value(op.out[n]);
    for (std::size_t t = 0; t < tokens(); ++t) {
      for (std::size_t o = 0; o < out; ++o) {
        const std::size_t of = of_group(o, several);
        double sum = op.tensors.size() > 1 ? param(op, 1)[n * own + of] : 0;
        for (std::size_t i = 0; i < in; ++i) sum += x[t * in + i] * param(op, 0)[element(op, n, i, of, own)];
        if (op.add >= 0) sum += value(op.add)[t * out + o];
        y.push_back(sum);
      }
    }
  }
  void linear_backward(const network::NetworkOperation& op, std::size_t n) {
    const Values &x = value(op.in[0]), &dy = d(op.out[n]);
    const std::size_t in = features(op.in[0]), own = outs(op), several = shares(op), out = own * several;
    for (std::size_t t = 0; t < tokens(); ++t) {
      for (std::size_t o = 0; o < out; ++o) {
        const std::size_t of = of_group(o, several);
        const double dsum = dy[t * out + o];
        if (op.tensors.size() > 1) grad(op, 1)[n * own + of] += dsum;
        if (op.add >= 0) d(op.add)[t * out + o] += dsum;
        for (std::size_t i = 0; i < in; ++i) {
          grad(op, 0)[element(op, n, i, of, own)] += dsum * x[t * in + i];
          d(op.in[0])[t * in + i] += dsum * param(op, 0)[element(op, n, i, of, own)];
        }
      }
    }
  }

  void elementwise_forward(const network::NetworkOperation& op) {
    const Elementwise& f = elementwise(op.function->name);
    const Values &x = value(op.in.front()), &x2 = value(op.in.back());
    for (std::size_t k = 0; k < x.size(); ++k) value(op.out[0]).push_back(f.value(x[k], x2[k], op.by));
  }
  void elementwise_backward(const network::NetworkOperation& op) {
    const Elementwise& f = elementwise(op.function->name);
    const Values &x = value(op.in.front()), &x2 = value(op.in.back()), &dy = d(op.out[0]);
    const double shift = rounds_ && op.function->name == "relu" ? jump_shift(x) : 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      d(op.in[0])[k] += dy[k] * f.slope(x[k] + shift, x2[k], op.by);
      if (f.slope2 != nullptr) d(op.in[1])[k] += dy[k] * f.slope2(x[k], x2[k], op.by);
    }
  }

  /// Concatenates the values of each token: q, k, v.
  Values beside(const std::vector<int>& list, std::vector<Values>& from) {
    Values all;
    const auto width = static_cast<std::ptrdiff_t>(m_.hidden);
    for (std::size_t t = 0; t < tokens(); ++t) {
      for (const int v : list) {
        const auto begin = from[static_cast<std::size_t>(v)].begin() + static_cast<std::ptrdiff_t>(t) * width;
        all.insert(all.end(), begin, begin + width);
      }
    }
    return all;
  }
  /// The position of a token in its sequence, or with marked documents in its document.
  std::size_t place(std::size_t t) const {
    std::size_t place = t % static_cast<std::size_t>(m_.seq);
    for (std::size_t back = 0; m_.vsl && back < place; ++back)
      if (begins_document(inputs_[t - back])) place = back;
    return place;
  }
  /// The document of each token. The padding behind a sequence is one of its own.
  std::vector<int> documents() const {
    std::vector<int> documents;
    const auto seq = static_cast<std::size_t>(m_.seq);
    for (std::size_t t = 0; t < tokens(); ++t) {
      const bool follows = t % seq > 0 && (m_.vsl ? begins_document(inputs_[t])
                                                  : static_cast<int>(token_of(inputs_[t - 1])) == m_.document_end);
      documents.push_back(t % seq == 0 ? 0 : documents.back() + (follows ? 1 : 0));
    }
    for (std::size_t t = tokens(); t-- > 0;)
      if (static_cast<int>(token_of(inputs_[t])) == m_.padding_token && ((t + 1) % seq == 0 || documents[t + 1] < 0))
        documents[t] = -1;
    return documents;
  }
  /// The position of the first token of each token's document, for causal attention.
  std::vector<int> first_of_documents() const {
    std::vector<int> first;
    const std::vector<int> documents = this->documents();
    const auto seq = static_cast<std::size_t>(m_.seq);
    for (std::size_t t = 0; t < tokens(); ++t) {
      const bool begins = t % seq == 0 || documents[t] != documents[t - 1];
      first.push_back(begins ? static_cast<int>(t % seq) : first.back());
    }
    return first;
  }
  void attention_back(const network::NetworkOperation& op) {
    Values dqkv(3 * tokens() * static_cast<std::size_t>(m_.hidden)), dprobs(probs_[&op].size());
    attention_backward(beside(op.in, values_), probs_[&op], d(op.out[0]), m_.hidden, m_.heads, m_.seq, dprobs, dqkv,
                       op.causal, weight_factors(op));
    const auto width = static_cast<std::size_t>(m_.hidden);
    for (std::size_t t = 0; t < tokens(); ++t)
      for (std::size_t n = 0; n < 3; ++n)
        for (std::size_t i = 0; i < width; ++i) d(op.in[n])[t * width + i] += dqkv[(3 * t + n) * width + i];
  }

  void loss(const network::NetworkOperation& op) {
    const std::size_t n = losses_done_++, vocab = features(op.in[0]);
    Values &logits = value(op.in[0]), &dlogits = dlosses_[&op];
    const double smoothing = op.kind == Kind::Loss ? m_.smoothing() : 0;
    dlogits.resize(logits.size());
    for (std::size_t t = 0; t < tokens(); ++t) {
      const TokenId own = compiler::label_of(losses_, labels_[t], n);
      if (own == kNoLabel) continue;
      const Const row = Const(logits).subspan(t * vocab, vocab);
      const double max = *std::ranges::max_element(row);
      double sum = 0;
      for (const double x : row) sum += std::exp(x - max);
      out_.loss_sum += std::log(sum) + max;
      for (std::size_t v = 0; v < vocab; ++v) {
        const double rest = smoothing / static_cast<double>(vocab), label = (v == own ? 1 - smoothing : 0) + rest;
        dlogits[t * vocab + v] = std::exp(row[v] - max) / sum - label;
        out_.loss_sum -= label * row[v];
      }
    }
  }

  /// x, of which features are dropped by the masks that tiles compute, and the others divided by 1 - p.
  Values dropped(const network::NetworkOperation& op, const Values& x) const {
    const std::size_t width = x.size() / tokens();
    const compiler::DropoutNumbers site = compiler::site_numbers(op.site);
    const compiler::DropoutFactors factors = compiler::dropout_factors(op.p);
    Values y;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const std::size_t t = k / width, seq = static_cast<std::size_t>(m_.seq);
      const auto token =
          compiler::token_numbers(m_.dropout_seed, samples_.step, samples_.first + t / seq, static_cast<int>(t % seq));
      const auto feature = compiler::feature_numbers(static_cast<int>(k % width));
      y.push_back(compiler::is_kept(factors, compiler::dropout_number(token, site, feature)) ? x[k] / (1 - op.p) : 0);
    }
    return y;
  }

  /// Factors of attention's weights, [sequence][head][query][key]: 0 or 1 / (1 - p). Empty without dropout.
  Values weight_factors(const network::NetworkOperation& op) const {
    Values list;
    if (op.p == 0) return list;
    const compiler::DropoutNumbers site = compiler::site_numbers(op.site);
    const compiler::DropoutFactors factors = compiler::dropout_factors(op.p);
    for (std::size_t s = 0; s < tokens() / static_cast<std::size_t>(m_.seq); ++s) {
      for (int head = 0; head < m_.heads; ++head) {
        for (int t = 0; t < m_.seq; ++t) {
          const auto query = compiler::token_numbers(m_.dropout_seed, samples_.step, samples_.first + s, t);
          for (int u = 0; u < m_.seq; ++u) {
            const auto weight = compiler::feature_numbers(compiler::weight_feature(head, u, m_.seq));
            const double number = compiler::dropout_number(query, site, weight);
            list.push_back(compiler::is_kept(factors, number) ? 1 / (1 - op.p) : 0);
          }
        }
      }
    }
    return list;
  }

  void squared_error(const network::NetworkOperation& op) {
    const Values& outputs = value(op.in[0]);
    Values& doutputs = dlosses_[&op];
    doutputs.resize(outputs.size());
    for (std::size_t t = 0; t < tokens(); ++t) {
      if (labels_[t] == kNoLabel) continue;
      const double distance = outputs[t] - static_cast<double>(std::bit_cast<float>(labels_[t]));
      out_.loss_sum += distance * distance;
      doutputs[t] = 2 * distance;
    }
  }

  void backward(const network::NetworkOperation& op) {
    switch (op.kind) {
      case Kind::Embed:
        for (std::size_t t = 0; t < tokens(); ++t) {
          for (std::size_t n = 0; n < op.tensors.size(); ++n)
            for (std::size_t i = 0; i < hidden(); ++i)
              grad(op, n)[row(op, n, t) * hidden() + i] += d(op.out[0])[t * hidden() + i];
        }
        break;
      case Kind::Norm:
        layer_norm_backward(value(op.in[0]), param(op, 0), d(op.out[0]), m_.ln_eps, d(op.in[0]), grad(op, 0),
                            op.tensors.size() > 1 ? grad(op, 1) : Grad{}, op.centers);
        break;
      case Kind::Linear:
        for (std::size_t n = 0; n < op.out.size(); ++n) linear_backward(op, n);
        break;
      case Kind::Elementwise:
        elementwise_backward(op);
        break;
      case Kind::Rotary:
        for (std::size_t n = 0; n < op.in.size(); ++n) turn(d(op.out[n]), d(op.in[n]), -1);
        break;
      case Kind::Attention:
        attention_back(op);
        break;
      case Kind::Dropout: {
        const Values& dy = d(op.out[0]);
        d(op.in[0]) = dropped(op, dy);
        for (std::size_t k = 0; op.add >= 0 && k < dy.size(); ++k) d(op.add)[k] += dy[k];
        break;
      }
      case Kind::Loss:
      case Kind::ClassLoss:
      case Kind::SquaredError:
        d(op.in[0]) = dlosses_[&op];
    }
  }

  const compiler::ModelShape& m_;
  const compiler::DropoutSamples samples_;
  const bool rounds_;
  const unsigned roundings_;
  std::mt19937 random_;
  const network::LayerGraph network_;
  const std::vector<compiler::TensorInfo> tensors_;
  const std::span<const TokenId> inputs_, labels_;
  const compiler::Losses losses_;
  std::size_t losses_done_ = 0;  // forward
  Values params_;
  std::map<const network::NetworkOperation*, Values> dlosses_;
  std::vector<Values> values_, gradients_;
  std::map<const network::NetworkOperation*, Values> probs_;
  NetworkResult out_;
};

}  // namespace

NetworkResult reference_network(const compiler::ModelShape& model, std::span<const float> params,
                                std::span<const TokenId> inputs, std::span<const TokenId> labels, unsigned roundings,
                                compiler::DropoutSamples samples) {
  return Evaluator(model, params, inputs, labels, roundings, samples).run();
}

}  // namespace weft::reference
