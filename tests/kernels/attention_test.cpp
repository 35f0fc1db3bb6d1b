/// Causal attention forward, kernel by kernel: probabilities, then the weighted sums.
#include <algorithm>

#include "tests/kernels/cases.hpp"
#include "tests/kernels/heads.hpp"
#include "tests/kernels/near.hpp"

namespace weft::kernels {
namespace {

class Attention : public KernelTest {
 protected:
  void check_probs(const HeadOfSequence& h, const Array& q, const Array& k) {
    const int sp = stage.plan.padded_seq;
    const double scale = attention_scale(stage);
    Near near("probs");
    for (int t = 0; t < sp; ++t) {
      std::vector<double> score(t + 1), error(t + 1);
      for (int u = 0; u <= t; ++u) score[u] = head_dot(stage, h, q, t, k, u);
      const double max = *std::max_element(score.begin(), score.end());
      double sum = 0, worst = 0;
      for (int u = 0; u <= t; ++u) {
        sum += std::exp(scale * (score[u] - max));
        // Error of exp's argument: the score, the maximum (it cancels but for this) and the argument are rounded.
        error[u] = kRound * scale * (std::abs(score[u]) + std::abs(score[u] - max) + kRound * std::abs(max));
        worst = std::max(worst, error[u]);
      }
      for (int u = 0; u < t / 4 * 4 + 4; ++u) {
        for (const int row : h.rows) {
          const double p =
              stage.value(row, h.column, score_address(stage, stage.memory.forward_probs(), Layout::Upper, t, u));
          if (u > t) {
            EXPECT_EQ(p, 0) << "query " << t << " sees key " << u;
            continue;
          }
          // Tables: exp (in the numerator and in the sum), recip. Roundings: the sum, the product.
          const double expected = std::exp(scale * (score[u] - max)) / sum;
          near(p, expected, 1.1 * (error[u] + worst + 3 * kTable + 2 * kRound) * expected, t, u);
        }
      }
    }
  }

  void check_attend(const HeadOfSequence& h, const Array& v, const Array& y) {
    const int dim = stage.plan.model.hidden / stage.plan.model.heads;
    Near near("attend");
    for (int t = 0; t < stage.plan.padded_seq; ++t) {
      for (int f = h.head * dim; f < (h.head + 1) * dim; ++f) {
        double sum = 0, magnitude = 0;
        for (int u = 0; u <= t; ++u) {
          const double p =
              stage.value(h.rows[0], h.column, score_address(stage, stage.memory.forward_probs(), Layout::Upper, t, u));
          sum += p * v.at(h.first + u, f), magnitude += std::abs(p * v.at(h.first + u, f));
        }
        near(y.at(h.first + t, f), sum, kRound * std::abs(sum) + sum_error(t + 1, magnitude), t, f);
      }
    }
  }
};

TEST_P(Attention, ForwardIsCausalSoftmaxOfEveryHead) {
  const compiler::Space& space = stage.spaces.head;
  for (int l = 0; l < stage.plan.model.layers; ++l) {
    const compiler::Gpt2Memory::Layer& m = stage.memory.layers[l];
    stage.before("h." + std::to_string(l) + ".attn");
    const Array q = stage.array(space, m.q), k = stage.array(space, m.k), v = stage.array(space, m.v);
    for (int n = 0; n < head_calls(stage); ++n) {
      for (int sequence = 0; sequence < stage.memory.sequences; ++sequence) {
        const auto heads = heads_of_call(stage, n, sequence);
        stage.call();
        for (const HeadOfSequence& h : heads) check_probs(h, q, k);
        stage.call();
        const Array y = stage.array(space, m.heads);
        for (const HeadOfSequence& h : heads) check_attend(h, v, y);
      }
    }
    stage.step();
  }
}

WEFT_KERNEL_CASES(Attention);

}  // namespace
}  // namespace weft::kernels
