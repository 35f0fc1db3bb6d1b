/// LayerNorm forward: statistics and normalised values, then scale and shift.
#include "tests/kernels/cases.hpp"
#include "tests/kernels/near.hpp"
#include "tests/reference/gpt.hpp"

namespace weft::kernels {
namespace {

class LayerNorm : public KernelTest {
 protected:
  void check(const std::string& norm, int xhat_address, int rstd_address) {
    stage.before(norm);
    const Array x = stage.array(stage.spaces.hidden, stage.memory.residual);
    stage.step();
    const Array xhat = stage.array(stage.spaces.hidden, xhat_address);
    const std::vector<double> rstd = stage.per_token(rstd_address);
    Near near_rstd(norm + " rstd"), near_xhat(norm + " xhat");
    const int n = x.features;
    for (int t = 0; t < x.tokens; ++t) {
      double mean = 0, magnitude = 0, var = 0;
      for (int f = 0; f < n; ++f) mean += x.at(t, f) / n, magnitude += std::abs(x.at(t, f)) / n;
      for (int f = 0; f < n; ++f) var += (x.at(t, f) - mean) * (x.at(t, f) - mean) / n;
      const double expected = 1 / std::sqrt(var + reference::round_to_bf16(stage.plan.model.ln_eps));
      // x - mean is rounded before it is squared (2 roundings of var, so 1 of its root), the table's argument is
      // rounded (half a rounding of the root), and the table.
      near_rstd(rstd[t], expected, (1.5 * kRound + kTable) * expected, t, 0);
      // x - mean and the product are rounded. The mean: fp32, and 1/n is two bf16 together (16 bits).
      const double mean_error = sum_error(n, magnitude) + 0x1p-16 * std::abs(mean);
      for (int f = 0; f < n; ++f) {
        const double y = (x.at(t, f) - mean) * rstd[t];
        near_xhat(xhat.at(t, f), y, 2.01 * kRound * std::abs(y) + 1.01 * mean_error * rstd[t], t, f);
      }
    }
  }

  void check_affine(const std::string& norm, int xhat_address) {
    ASSERT_EQ(stage.op().name, norm + ".affine");
    const Array xhat = stage.array(stage.spaces.hidden, xhat_address);
    stage.step();
    const Array y = stage.array(stage.spaces.hidden, stage.memory.ln_out);
    const auto scale = stage.offset(norm + ".weight"), shift = stage.offset(norm + ".bias");
    Near near(norm + ".affine");
    for (int t = 0; t < y.tokens; ++t) {
      for (int f = 0; f < y.features; ++f) {
        const double a = stage.weights[scale + f] * xhat.at(t, f), b = stage.weights[shift + f];
        near(y.at(t, f), a + b, kRound * std::abs(a + b) + sum_error(2, std::abs(a) + std::abs(b)), t, f);
      }
    }
  }
};

TEST_P(LayerNorm, NormalisesEveryTokenAndScalesEveryFeature) {
  for (int l = 0; l < stage.plan.model.layers; ++l) {
    const std::string layer = "h." + std::to_string(l) + ".";
    const compiler::Gpt2Memory::Layer& m = stage.memory.layers[l];
    check(layer + "ln_1", m.xhat1, m.rstd1);
    check_affine(layer + "ln_1", m.xhat1);
    check(layer + "ln_2", m.xhat2, m.rstd2);
    check_affine(layer + "ln_2", m.xhat2);
  }
  check("ln_f", stage.memory.xhat_final, stage.memory.rstd_final);
  check_affine("ln_f", stage.memory.xhat_final);
}

WEFT_KERNEL_CASES(LayerNorm);

}  // namespace
}  // namespace weft::kernels
