/// Softmax cross-entropy and its gradient.
#include <algorithm>
#include <bit>

#include "tests/kernels/cases.hpp"
#include "tests/kernels/near.hpp"

namespace weft::kernels {
namespace {

class Loss : public KernelTest {
 protected:
  double word(int k) const { return std::bit_cast<float>(stage.words.at(0).at(k)); }
  /// The label probability of feature v for token t.
  double weight(int t, int v) const {
    const double smoothing = GetParam().model.smoothing(), rest = smoothing / GetParam().model.vocab;
    return rest + (static_cast<int>(stage.labels[stage.text(t)]) == v ? 1 - smoothing : 0);
  }
};

TEST_P(Loss, ReturnsSumsAndDistancesFromTheMaximum) {
  stage.before("loss");
  const Array logits = stage.array(stage.spaces.vocab, stage.memory.logits);
  stage.step();
  const Array exps = stage.array(stage.spaces.vocab, stage.memory.logits);
  const std::vector<double> scale = stage.per_token(stage.memory.loss_scale);
  ASSERT_EQ(stage.words.at(0).size(), 2U * stage.tokens());
  Near near_exp("exp"), near_sum("sum"), near_scale("1/sum");
  for (int t = 0; t < stage.tokens(); ++t) {
    double max = -INFINITY, sum = 0;
    for (int v = 0; v < logits.features; ++v) max = std::max(max, logits.at(t, v));
    for (int v = 0; v < logits.features; ++v) {
      const double x = logits.at(t, v) - max, expected = std::exp(x);
      // The argument is rounded; the table.
      near_exp(exps.at(t, v), expected, 1.05 * (kTable + kRound * std::abs(x)) * expected, t, v);
      sum += exps.at(t, v);
    }
    near_sum(word(t), sum, sum_error(logits.features, sum), t, 0);
    if (stage.counts(t)) {
      // Logits are bf16, so this difference of two is one fp32 subtraction.
      double distance = max;
      for (int v = 0; v < logits.features; ++v) distance -= weight(t, v) * logits.at(t, v);
      if (GetParam().model.smoothing() == 0) {
        EXPECT_EQ(word(stage.tokens() + t), static_cast<float>(distance));
      } else {  // fp32 sums of the features, and of a rest that has 16 bits
        EXPECT_NEAR(word(stage.tokens() + t), distance, 1e-4 * (1 + std::abs(max)));
      }
      near_scale(scale[t], 1 / sum, 1.02 * (kRound + kTable) / sum, t, 0);  // the sum is rounded; the table
    } else {
      EXPECT_EQ(scale[t], 0) << "token " << t << " does not count";
    }
  }
}

TEST_P(Loss, GradientIsSoftmaxMinusOneHot) {
  stage.before("loss.dx");
  const Array exps = stage.array(stage.spaces.vocab, stage.memory.logits);
  const std::vector<double> scale = stage.per_token(stage.memory.loss_scale);
  stage.step();
  const Array d = stage.array(stage.spaces.vocab, stage.memory.logits);
  Near near("d logits");
  for (int t = 0; t < d.tokens; ++t) {
    for (int v = 0; v < d.features; ++v) {
      const double label = stage.counts(t) ? weight(t, v) : 0;
      const double p = exps.at(t, v) * scale[t], expected = p - label;
      near(d.at(t, v), expected, kRound * p + 1.01 * kRound * std::abs(expected), t, v);  // p and the difference
    }
  }
  for (const double x : stage.array(stage.spaces.hidden, stage.memory.dresidual).values) ASSERT_EQ(x, 0);
}

WEFT_KERNEL_CASES(Loss);
INSTANTIATE_TEST_SUITE_P(Smoothed, Loss, testing::Values(smoothed()), [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace weft::kernels
