/// Causal attention backward, kernel by kernel. The lower layout must hold the very bits of the upper one, transposed.
#include "tests/kernels/cases.hpp"
#include "tests/kernels/heads.hpp"
#include "tests/kernels/near.hpp"

namespace weft::kernels {
namespace {

class AttentionBack : public KernelTest {
 protected:
  using Bits = std::vector<std::uint16_t>;  ///< [row of the head][query][key <= query]

  Bits matrix(const HeadOfSequence& h, int base, Layout layout) const {
    Bits bits;
    for (const int row : h.rows)
      for (int t = 0; t < stage.plan.padded_seq; ++t)
        for (int u = 0; u <= t; ++u)
          bits.push_back(stage.bits(row, h.column, score_address(stage, base, layout, t, u)));
    return bits;
  }
  /// Expects zeros above the diagonal, in the lower layout's beats that contain it.
  void expect_zero_above(const HeadOfSequence& h, int base) const {
    const int lanes = stage.plan.wafer.lanes;
    for (const int row : h.rows)
      for (int t = 0; t < stage.plan.padded_seq; ++t)
        for (int u = t + 1; u % lanes != 0; ++u)
          EXPECT_EQ(stage.value(row, h.column, score_address(stage, base, Layout::Lower, t, u)), 0) << t << ' ' << u;
  }
  /// Expects the matrices in the lower layout, in the memory of P.
  void expect_lower(const std::vector<HeadOfSequence>& heads, const std::vector<Bits>& upper) const {
    for (std::size_t i = 0; i < heads.size(); ++i) {
      EXPECT_EQ(matrix(heads[i], stage.memory.probs, Layout::Lower), upper[i]);
      expect_zero_above(heads[i], stage.memory.probs);
    }
  }
  double score(const HeadOfSequence& h, int base, Layout layout, int t, int u) const {
    return stage.value(h.rows[0], h.column, score_address(stage, base, layout, t, u));
  }

  void check_dprobs(const HeadOfSequence& h, const Array& v, const Array& dy) {
    Near near("dprobs");
    for (int t = 0; t < stage.plan.padded_seq; ++t) {
      double dot = 0, size = 0;
      const auto p = [&](int u) { return score(h, stage.memory.probs, Layout::Upper, t, u); };
      const auto dp = [&](int u) { return head_dot(stage, h, v, u, dy, t); };
      for (int u = 0; u <= t; ++u) dot += p(u) * dp(u), size += std::abs(p(u) * dp(u));
      for (int u = 0; u <= t; ++u) {
        // dP is rounded, here and in every term of D; D is rounded, and the difference, and the product.
        const double inner = dp(u) - dot;
        const double error = kRound * (std::abs(dp(u)) + size + std::abs(dot) + 2 * std::abs(inner));
        near(score(h, stage.memory.dprobs, Layout::Upper, t, u), p(u) * inner, 1.02 * p(u) * error, t, u);
      }
    }
  }

  /// y[i] = factor * sum over j of A * x[j]: over keys for a query (upper) or over queries for a key (lower).
  void check_attend(const char* what, const HeadOfSequence& h, int a, Layout layout, const Array& x, int y_address,
                    double factor) {
    const int dim = stage.plan.model.hidden / stage.plan.model.heads, sp = stage.plan.padded_seq;
    const Array y = stage.array(stage.spaces.head, y_address);
    const bool upper = layout == Layout::Upper;
    Near near(what);
    for (int i = 0; i < sp; ++i) {
      for (int f = h.head * dim; f < (h.head + 1) * dim; ++f) {
        double sum = 0, magnitude = 0;
        for (int j = upper ? 0 : i; j < (upper ? i + 1 : sp); ++j) {
          const double term = score(h, a, layout, upper ? i : j, upper ? j : i) * x.at(h.first + j, f);
          sum += term, magnitude += std::abs(term);
        }
        // The sum is rounded, and its product with the factor.
        near(y.at(h.first + i, f), factor * sum, factor * (2.01 * kRound * std::abs(sum) + sum_error(sp, magnitude)), i,
             f);
      }
    }
  }
};

TEST_P(AttentionBack, EveryKernelForEveryHeadAndSequence) {
  const compiler::Gpt2Memory& p = stage.memory;
  const double scale = attention_scale(stage);
  for (int l = stage.plan.model.layers - 1; l >= 0; --l) {
    const compiler::Gpt2Memory::Layer& m = p.layers[l];
    stage.before("h." + std::to_string(l) + ".attn.dx");
    const Array q = stage.array(stage.spaces.head, m.q), k = stage.array(stage.spaces.head, m.k),
                v = stage.array(stage.spaces.head, m.v), dy = stage.array(stage.spaces.head, p.dheads);
    for (int n = 0; n < head_calls(stage); ++n) {
      for (int sequence = 0; sequence < p.sequences; ++sequence) {
        const auto heads = heads_of_call(stage, n, sequence);
        std::vector<Bits> probs, dprobs;
        stage.call();
        for (const auto& h : heads) probs.push_back(matrix(h, p.probs, Layout::Upper));
        stage.call();
        for (const auto& h : heads) check_dprobs(h, v, dy), dprobs.push_back(matrix(h, p.dprobs, Layout::Upper));
        stage.call();
        for (const auto& h : heads) check_attend("dq", h, p.dprobs, Layout::Upper, k, p.dq, scale);
        stage.call();
        expect_lower(heads, probs);
        stage.call();
        for (const auto& h : heads) check_attend("dv", h, p.probs, Layout::Lower, dy, p.dv, 1);
        stage.call();
        expect_lower(heads, dprobs);
        stage.call();
        for (const auto& h : heads) check_attend("dk", h, p.probs, Layout::Lower, q, p.dk, scale);
      }
    }
    stage.step();
  }
}

WEFT_KERNEL_CASES(AttentionBack);

}  // namespace
}  // namespace weft::kernels
