/// Gradients of weights and biases, fp32 from the first product to the outlet.
#include <algorithm>
#include <map>

#include "tests/kernels/cases.hpp"
#include "tests/kernels/near.hpp"

namespace weft::kernels {
namespace {

class WeightGradient : public KernelTest {
 protected:
  std::map<std::uint64_t, double> gradient;  // gradient of the op that ran last

  void run_op(const std::string& op, std::size_t parameters) {
    stage.before(op);
    stage.step();
    gradient = stage.gradient();
    EXPECT_EQ(gradient.size(), parameters) << op;
  }

  /// Checks the gradient of `op`, or, if the name is empty, of the last op: weight (in, out) is parameter offset +
  /// in*in_stride + out*out_stride; `bias` is output 0's, or -1.
  void check(const std::string& op, const compiler::Space& in, int x_address, std::uint64_t offset, int in_stride,
             int out_stride, std::int64_t bias, const compiler::Space& out, int dy_address) {
    if (!op.empty()) run_op(op, static_cast<std::size_t>(in.features() + (bias >= 0)) * out.features());
    const Array x = stage.array(in, x_address), dy = stage.array(out, dy_address);  // before the op
    Near near(op.empty() ? "one of several" : op);
    for (int o = 0; o < dy.features; ++o) {
      const auto expect = [&](std::uint64_t parameter, auto&& input, int i) {
        double sum = 0, magnitude = 0;
        for (int t = 0; t < x.tokens; ++t) sum += dy.at(t, o) * input(t), magnitude += std::abs(dy.at(t, o) * input(t));
        near(gradient.at(parameter), sum, sum_error(x.tokens, magnitude), i, o);
      };
      for (int i = 0; i < x.features; ++i)
        expect(
            offset + i * in_stride + o * out_stride, [&](int t) { return x.at(t, i); }, i);
      if (bias >= 0)
        expect(
            bias + o, [](int) { return 1.0; }, -1);
    }
  }
};

TEST_P(WeightGradient, IsTheSumOverTokensForEveryMatrix) {
  const compiler::Gpt2Memory& p = stage.memory;
  const compiler::Spaces& s = stage.spaces;
  const int h = stage.plan.model.hidden, f = stage.plan.model.filter;
  const std::string head = stage.plan.model.tied ? "wte.weight" : "lm_head.weight";
  check("lm_head.dw", s.hidden, p.ln_out, stage.offset(head), 1, h, -1, s.vocab, p.logits);
  for (int l = stage.plan.model.layers - 1; l >= 0; --l) {
    const std::string layer = "h." + std::to_string(l) + ".";
    const compiler::Gpt2Memory::Layer& m = p.layers[l];
    const auto run = [&](const std::string& name, const compiler::Space& in, int x, int width,
                         const compiler::Space& out, int dy) {
      const std::string full = layer + name;
      check(full + ".dw", in, x, stage.offset(full + ".weight"), width, 1,
            static_cast<std::int64_t>(stage.offset(full + ".bias")), out, dy);
    };
    run("mlp.c_proj", s.filter, p.gelu, h, s.hidden, p.dresidual);
    run("mlp.c_fc", s.hidden, p.ln_out, f, s.filter, p.dgelu);
    run("attn.c_proj", s.head, m.heads, h, s.hidden, p.dresidual);
    const std::string attn = layer + "attn.c_attn";
    const int dqkv[] = {p.dq, p.dk, p.dv};
    const auto part = [&](const std::string& op, int n) {
      check(op, s.hidden, p.ln_out, stage.offset(attn + ".weight") + n * h, 3 * h, 1,
            static_cast<std::int64_t>(stage.offset(attn + ".bias")) + n * h, s.head, dqkv[n]);
    };
    if (std::ranges::count(stage.plan.ops, attn + ".dw", &compiler::Op::name) > 0) {  // all three in one
      run_op(attn + ".dw", 3 * static_cast<std::size_t>(h) * (h + 1));
      for (int n = 0; n < 3; ++n) part("", n);
    } else {
      for (int n = 0; n < 3; ++n) part(attn + "." + "qkv"[n] + ".dw", n);
    }
  }
}

WEFT_KERNEL_CASES(WeightGradient);

}  // namespace
}  // namespace weft::kernels
