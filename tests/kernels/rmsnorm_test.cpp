/// RMSNorm without a shift, of LLaMA: statistics, normalised values and scale; then the gradients of scale and input.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/kernels/cases.hpp"
#include "tests/kernels/near.hpp"
#include "tests/reference/gpt.hpp"

namespace weft::kernels {
namespace {

Case llama(Case c) {
  c.model.network = "llama";
  c.model.rotary_dim = c.model.hidden / c.model.heads / 2 * 2;
  return c;
}

class RmsNorm : public testing::TestWithParam<Case> {
 protected:
  void forward(const std::string& norm) {
    stage.before(norm);
    const Array x = array("residual");
    stage.step();
    const Array xhat = array(norm + ".xhat");
    const std::vector<double> rstd = stage.per_token(stage.arrays.at(norm + ".rstd"));
    ASSERT_EQ(stage.op().name, norm + ".affine");
    stage.step();
    const Array y = array("norm_out");
    const auto scale = stage.offset(norm + ".weight");
    Near near_rstd(norm + " rstd"), near_xhat(norm + " xhat"), near_y(norm + ".affine");
    const int n = x.features;
    for (int t = 0; t < x.tokens; ++t) {
      if (!stage.counts(t)) continue;  // all padding is alike, and so are its roundings
      double square = 0;
      for (int f = 0; f < n; ++f) square += x.at(t, f) * x.at(t, f) / n;
      const double expected = 1 / std::sqrt(square + reference::round_to_bf16(stage.plan.model.ln_eps));
      // The sum is fp32, 1/n is two bf16 together; the table's argument is rounded (half a rounding of the root).
      near_rstd(rstd[t], expected, (0.51 * kRound + kTable) * expected, t, 0);
      for (int f = 0; f < n; ++f) {
        const double product = x.at(t, f) * rstd[t], scaled = xhat.at(t, f) * stage.weights[scale + f];
        near_xhat(xhat.at(t, f), product, kRound * std::abs(product), t, f);
        near_y(y.at(t, f), scaled, kRound * std::abs(scaled), t, f);
      }
    }
  }

  void backward(const std::string& norm) {
    stage.before(norm + ".dw");
    const Array dy = array("dnorm_out"), xhat = array(norm + ".xhat");
    const std::vector<double> rstd = stage.per_token(stage.arrays.at(norm + ".rstd"));
    stage.step();
    const auto gradient = stage.gradient();
    const auto scale = stage.offset(norm + ".weight");
    EXPECT_EQ(gradient.size(), static_cast<std::size_t>(dy.features));  // there is no shift
    Near near_scale("d " + norm + ".weight"), near("d " + norm);
    for (int f = 0; f < dy.features; ++f) {
      double sum = 0, size = 0;
      for (int t = 0; t < dy.tokens; ++t)
        sum += dy.at(t, f) * xhat.at(t, f), size += std::abs(dy.at(t, f) * xhat.at(t, f));
      near_scale(gradient.at(scale + f), sum, sum_error(dy.tokens, size), 0, f);
    }
    ASSERT_EQ(stage.op().name, norm + ".dx");
    const Array old = array("dresidual");
    stage.step();
    const Array dx = array("dresidual");
    const int n = dy.features;
    for (int t = 0; t < dy.tokens; ++t) {
      if (!stage.counts(t)) continue;
      double dot = 0, dot_size = 0;
      const auto g = [&](int f) { return dy.at(t, f) * stage.weights[scale + f]; };
      for (int f = 0; f < n; ++f) dot += g(f) * xhat.at(t, f) / n, dot_size += std::abs(g(f) * xhat.at(t, f)) / n;
      // Every g is rounded once, and so are the sum's terms; the mean once more as a factor.
      for (int f = 0; f < n; ++f) {
        const double inner = g(f) - xhat.at(t, f) * dot;
        const double inner_error = kRound * std::abs(g(f)) +
                                   std::abs(xhat.at(t, f)) * (1.01 * kRound * dot_size + kRound * std::abs(dot)) +
                                   kRound * std::abs(inner);
        const double expected = old.at(t, f) + rstd[t] * inner;
        near(dx.at(t, f), expected, 1.02 * (rstd[t] * inner_error + kRound * std::abs(expected)), t, f);
      }
    }
  }

  Array array(const std::string& name) const { return stage.array(stage.spaces.hidden, stage.arrays.at(name)); }

  Stage stage{GetParam().model, GetParam().wafer, GetParam().sequences};
};

TEST_P(RmsNorm, NormalisesTokensAndAddsToTheGradient) {
  const auto all = [&](int layer) {
    const std::string h = "h." + std::to_string(layer) + ".";
    return std::array{h + "input_layernorm", h + "post_attention_layernorm"};
  };
  for (int layer = 0; layer < stage.plan.model.layers; ++layer)
    for (const std::string& norm : all(layer)) forward(norm);
  forward("norm");
  backward("norm");
  for (int layer = stage.plan.model.layers; layer-- > 0;) {
    backward(all(layer)[1]);
    backward(all(layer)[0]);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, RmsNorm,
                         testing::Values(llama(square()), llama(oblong()), llama(spread()), llama(one_tile()),
                                         llama(eight_lanes()), llama(two_lanes())),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace weft::kernels
