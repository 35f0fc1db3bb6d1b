#include <cmath>

#include "tests/reference/layers.hpp"

namespace weft::reference {
namespace {

/// Positions in arrays: token t of sequence s, feature j of head h.
struct Layout {
  int hidden, heads, seq;
  int head_size() const { return hidden / heads; }
  std::size_t token(std::size_t s, int t) const { return s * seq + t; }
  std::size_t q(std::size_t s, int t, int h) const { return token(s, t) * 3 * hidden + h * head_size(); }
  std::size_t k(std::size_t s, int t, int h) const { return q(s, t, h) + hidden; }
  std::size_t v(std::size_t s, int t, int h) const { return q(s, t, h) + 2 * hidden; }
  std::size_t y(std::size_t s, int t, int h) const { return token(s, t) * hidden + h * head_size(); }
  std::size_t p(std::size_t s, int h, int t) const { return ((s * heads + h) * seq + t) * seq; }
};

double factor_of(Const factors, std::size_t weight) { return factors.empty() ? 1 : factors[weight]; }

}  // namespace

Values attention(Const qkv, int hidden, int heads, int seq, Values& probs, std::span<const int> first,
                 std::span<const int> document, Const factors) {
  const Layout at{hidden, heads, seq};
  const std::size_t sequences = qkv.size() / (3 * hidden * seq);
  const double scale = 1 / std::sqrt(static_cast<double>(at.head_size()));
  Values y(qkv.size() / 3);
  probs.assign(sequences * heads * seq * seq, 0);
  for (std::size_t s = 0; s < sequences; ++s) {
    for (int h = 0; h < heads; ++h) {
      for (int t = 0; t < seq; ++t) {
        double* p = &probs[at.p(s, h, t)];
        double max = -INFINITY, sum = 0;
        const int from = first.empty() ? 0 : first[at.token(s, t)];
        const int end = document.empty() ? t + 1 : seq;
        const auto seen = [&](int u) {
          return document.empty() || document[at.token(s, u)] == document[at.token(s, t)];
        };
        for (int u = from; u < end; ++u) {
          if (!seen(u)) continue;
          for (int j = 0; j < at.head_size(); ++j) p[u] += scale * qkv[at.q(s, t, h) + j] * qkv[at.k(s, u, h) + j];
          max = std::max(max, p[u]);
        }
        for (int u = from; u < end; ++u)
          if (seen(u)) sum += p[u] = std::exp(p[u] - max);
        for (int u = from; u < end; ++u) {
          p[u] /= sum;
          const double weight = p[u] * factor_of(factors, at.p(s, h, t) + u);
          for (int j = 0; j < at.head_size(); ++j) y[at.y(s, t, h) + j] += weight * qkv[at.v(s, u, h) + j];
        }
      }
    }
  }
  return y;
}

void attention_backward(Const qkv, Const probs, Const dy, int hidden, int heads, int seq, Values& dprobs, Grad dqkv,
                        bool causal, Const factors) {
  const Layout at{hidden, heads, seq};
  const std::size_t sequences = qkv.size() / (3 * hidden * seq);
  const double scale = 1 / std::sqrt(static_cast<double>(at.head_size()));
  dprobs.assign(probs.size(), 0);
  for (std::size_t s = 0; s < sequences; ++s) {
    for (int h = 0; h < heads; ++h) {
      for (int t = 0; t < seq; ++t) {
        const double* p = &probs[at.p(s, h, t)];
        double* dp = &dprobs[at.p(s, h, t)];
        double dot = 0;  // sum over u of p[u] dp[u]
        const int end = causal ? t + 1 : seq;
        for (int u = 0; u < end; ++u) {
          const double factor = factor_of(factors, at.p(s, h, t) + u);
          for (int j = 0; j < at.head_size(); ++j) {
            dp[u] += factor * dy[at.y(s, t, h) + j] * qkv[at.v(s, u, h) + j];
            dqkv[at.v(s, u, h) + j] += dy[at.y(s, t, h) + j] * factor * p[u];
          }
          dot += p[u] * dp[u];
        }
        for (int u = 0; u < end; ++u) {
          const double dscore = scale * p[u] * (dp[u] - dot);
          for (int j = 0; j < at.head_size(); ++j) {
            dqkv[at.q(s, t, h) + j] += dscore * qkv[at.k(s, u, h) + j];
            dqkv[at.k(s, u, h) + j] += dscore * qkv[at.q(s, t, h) + j];
          }
        }
      }
    }
  }
}

}  // namespace weft::reference
