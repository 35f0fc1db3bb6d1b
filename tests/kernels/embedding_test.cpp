/// Embedding: token and position as one-hot inputs of one GEMM; its gradient.
#include "tests/kernels/cases.hpp"
#include "tests/kernels/near.hpp"

namespace weft::kernels {
namespace {

class Embedding : public KernelTest {
 protected:
  /// Ids of a token; those of padding are 0.
  int id(int token) const { return stage.counts(token) ? stage.inputs[stage.text(token)] : 0; }
  int position(int token) const { return stage.position(token) < stage.plan.model.seq ? stage.position(token) : 0; }
};

TEST_P(Embedding, AddsTheTokensRowAndThePositionsRow) {
  stage.before("embedding");
  stage.step();
  const Array y = stage.array(stage.spaces.hidden, stage.memory.residual);
  const auto wte = stage.offset("wte.weight"), wpe = stage.offset("wpe.weight");
  Near near("embedding");
  for (int t = 0; t < y.tokens; ++t) {
    for (int f = 0; f < y.features; ++f) {
      const double a = stage.weights[wte + id(t) * y.features + f],
                   b = stage.weights[wpe + position(t) * y.features + f];
      // One-hot products are exact, the sum is fp32's, the array bf16.
      near(y.at(t, f), a + b, kRound * std::abs(a + b) + sum_error(1, std::abs(a) + std::abs(b)), t, f);
    }
  }
}

TEST_P(Embedding, GradientOfARowIsTheSumOverItsTokens) {
  stage.before("wte.dw");
  const Array dy = stage.array(stage.spaces.hidden, stage.memory.dresidual);
  const auto check = [&](const char* name, int ids, auto&& id_of) {
    ASSERT_EQ(stage.op().name, std::string(name).substr(0, 3) + ".dw");
    stage.step();
    const auto gradient = stage.gradient();
    EXPECT_EQ(gradient.size(), static_cast<std::size_t>(ids) * dy.features);
    Near near(name);
    for (int i = 0; i < ids; ++i) {
      for (int f = 0; f < dy.features; ++f) {
        double sum = 0, magnitude = 0;
        for (int t = 0; t < dy.tokens; ++t)
          if (id_of(t) == i) sum += dy.at(t, f), magnitude += std::abs(dy.at(t, f));
        near(gradient.at(static_cast<std::uint32_t>(stage.offset(name) + i * dy.features + f)), sum,
             sum_error(dy.tokens, magnitude), i, f);  // fp32 all the way
      }
    }
  };
  check("wte.weight", stage.plan.model.vocab, [&](int t) { return id(t); });
  check("wpe.weight", stage.plan.model.seq, [&](int t) { return position(t); });
}

WEFT_KERNEL_CASES(Embedding);

}  // namespace
}  // namespace weft::kernels
