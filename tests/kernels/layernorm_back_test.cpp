/// LayerNorm backward: gradients of scale and shift, then the gradient of the residual stream.
#include "tests/kernels/cases.hpp"
#include "tests/kernels/near.hpp"

namespace weft::kernels {
namespace {

class LayerNormBack : public KernelTest {
 protected:
  void check(const std::string& norm, int xhat_address, int rstd_address) {
    stage.before(norm + ".dw");
    const Array dy = stage.array(stage.spaces.hidden, stage.memory.delta);
    const Array xhat = stage.array(stage.spaces.hidden, xhat_address);
    stage.step();
    const auto gradient = stage.gradient();
    const auto scale = static_cast<std::uint32_t>(stage.offset(norm + ".weight"));
    const auto shift = static_cast<std::uint32_t>(stage.offset(norm + ".bias"));
    EXPECT_EQ(gradient.size(), 2U * dy.features);
    Near near("d " + norm + " parameters");
    for (int f = 0; f < dy.features; ++f) {
      double dscale = 0, dshift = 0, scale_size = 0, shift_size = 0;
      for (int t = 0; t < dy.tokens; ++t) {
        dscale += dy.at(t, f) * xhat.at(t, f), scale_size += std::abs(dy.at(t, f) * xhat.at(t, f));
        dshift += dy.at(t, f), shift_size += std::abs(dy.at(t, f));
      }
      near(gradient.at(scale + f), dscale, sum_error(dy.tokens, scale_size), 0, f);  // fp32 all the way
      near(gradient.at(shift + f), dshift, sum_error(dy.tokens, shift_size), 1, f);
    }
    check_input(norm, dy, xhat, stage.per_token(rstd_address));
  }

  void check_input(const std::string& norm, const Array& dy, const Array& xhat, const std::vector<double>& rstd) {
    ASSERT_EQ(stage.op().name, norm + ".dx");
    const Array old = stage.array(stage.spaces.hidden, stage.memory.dresidual);
    stage.step();
    const Array dx = stage.array(stage.spaces.hidden, stage.memory.dresidual);
    const auto scale = stage.offset(norm + ".weight");
    const int n = dy.features;
    Near near("d " + norm);
    for (int t = 0; t < dy.tokens; ++t) {
      double mean = 0, dot = 0, mean_size = 0, dot_size = 0;
      const auto g = [&](int f) { return dy.at(t, f) * stage.weights[scale + f]; };
      for (int f = 0; f < n; ++f) {
        mean += g(f) / n, mean_size += std::abs(g(f)) / n;
        dot += g(f) * xhat.at(t, f) / n, dot_size += std::abs(g(f) * xhat.at(t, f)) / n;
      }
      // Every g is rounded once, so are both sums' terms; the mean of g * xhat once more as a factor.
      const double sums = 1.01 * kRound;
      for (int f = 0; f < n; ++f) {
        const double inner = g(f) - mean - xhat.at(t, f) * dot;
        const double inner_error = kRound * std::abs(g(f)) + sums * mean_size +
                                   std::abs(xhat.at(t, f)) * (sums * dot_size + kRound * std::abs(dot)) +
                                   kRound * std::abs(inner);
        const double expected = old.at(t, f) + rstd[t] * inner;
        near(dx.at(t, f), expected, 1.02 * (rstd[t] * inner_error + kRound * std::abs(expected)), t, f);
      }
    }
  }
};

TEST_P(LayerNormBack, AddsToTheResidualStreamsGradient) {
  check("ln_f", stage.memory.xhat_final, stage.memory.rstd_final);
  for (int l = stage.plan.model.layers - 1; l >= 0; --l) {
    const std::string layer = "h." + std::to_string(l) + ".";
    const compiler::Gpt2Memory::Layer& m = stage.memory.layers[l];
    check(layer + "ln_2", m.xhat2, m.rstd2);
    check(layer + "ln_1", m.xhat1, m.rstd1);
  }
}

WEFT_KERNEL_CASES(LayerNormBack);

}  // namespace
}  // namespace weft::kernels
