#include "tests/reference/gpt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sw/compiler/model/tensors.hpp"

namespace weft::reference {
namespace {

struct Case {
  compiler::ModelShape model;
  std::vector<compiler::TensorInfo> tensors = compiler::model_tensors(model);
  std::vector<float> params = std::vector<float>(compiler::parameter_count(tensors));
  std::vector<TokenId> inputs, labels;

  Case(compiler::ModelShape shape, int sequences, unsigned seed) : model(shape) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, 0.3F);
    for (const compiler::TensorInfo& t : tensors) {
      for (std::uint64_t i = 0; i < t.size; ++i) params[t.offset + i] = t.init_value + normal(random);
    }
    for (int i = 0; i < sequences * model.seq; ++i) {
      inputs.push_back(static_cast<TokenId>(random() % model.vocab));
      labels.push_back(static_cast<TokenId>(random() % model.vocab));
    }
  }
  ReferenceResult run(bool round = false) const { return reference_gpt(model, tensors, params, inputs, labels, round); }
};

const compiler::ModelShape kTied{
    .vocab = 7, .hidden = 6, .layers = 2, .heads = 2, .filter = 10, .seq = 4, .tied = true};
const compiler::ModelShape kUntied{
    .vocab = 9, .hidden = 6, .layers = 1, .heads = 3, .filter = 5, .seq = 5, .tied = false};

/// Compares every parameter's gradient with (f(p+e) - f(p-e)) / 2e. The step is exact in fp32, so only O(e^2) is left.
void expect_gradient_is_slope(const Case& c) {
  const ReferenceResult at = c.run();
  for (const compiler::TensorInfo& t : c.tensors) {
    for (std::uint64_t i = t.offset; i < t.offset + t.size; ++i) {
      Case up = c, down = c;
      up.params[i] += 1.0F / 4096;
      down.params[i] -= 1.0F / 4096;
      const double step = static_cast<double>(up.params[i]) - down.params[i];
      const double slope = (up.run().loss_sum - down.run().loss_sum) / step;
      ASSERT_NEAR(at.grad[i], slope, 1e-5 * (1 + std::abs(slope))) << t.name << " element " << i - t.offset;
    }
  }
}

TEST(ReferenceGpt, GradientIsTheSlopeOfTheLossWithATiedHead) { expect_gradient_is_slope(Case(kTied, 2, 1)); }
TEST(ReferenceGpt, GradientIsTheSlopeOfTheLossWithAnUntiedHead) { expect_gradient_is_slope(Case(kUntied, 3, 2)); }

TEST(ReferenceGpt, ZeroWeightsGuessUniformly) {
  Case c(kTied, 2, 3);
  std::fill(c.params.begin(), c.params.end(), 0);
  EXPECT_NEAR(c.run().loss_sum, 8 * std::log(7.0), 1e-12);
}

TEST(ReferenceGpt, SequencesDoNotSeeEachOtherAndSumsAdd) {
  const Case both(kTied, 2, 4);
  Case first = both, second = both;
  first.inputs.resize(4), first.labels.resize(4);
  second.inputs.erase(second.inputs.begin(), second.inputs.begin() + 4);
  second.labels.erase(second.labels.begin(), second.labels.begin() + 4);
  const ReferenceResult a = first.run(), b = second.run(), ab = both.run();
  EXPECT_NEAR(ab.loss_sum, a.loss_sum + b.loss_sum, 1e-12);
  for (std::size_t i = 0; i < ab.grad.size(); ++i) ASSERT_NEAR(ab.grad[i], a.grad[i] + b.grad[i], 1e-10);
}

TEST(ReferenceGpt, ATokenDoesNotSeeLaterTokens) {
  const Case c(kTied, 1, 5);
  Case changed = c;
  changed.inputs[2] = static_cast<TokenId>((c.inputs[2] + 1) % kTied.vocab);
  const auto a = c.run().activations.at("loss"), b = changed.run().activations.at("loss");
  EXPECT_EQ(a[0], b[0]);
  EXPECT_EQ(a[1], b[1]);
  EXPECT_NE(a[2], b[2]);
}

TEST(ReferenceGpt, ActivationsAndTheirGradientsHaveTheSameShape) {
  const ReferenceResult r = Case(kTied, 2, 6).run();
  for (const char* name : {"embed", "h.0.ln_1", "h.1.attn.probs", "h.1.mlp.gelu", "h.1.residual_2", "logits"}) {
    ASSERT_FALSE(r.activations.at(name).empty()) << name;
    EXPECT_EQ(r.activations.at(name).size(), r.activations.at(std::string("d ") + name).size()) << name;
  }
  // The gradient of a linear's bias is the sum over tokens of its output's gradient.
  const auto& tensors = compiler::model_tensors(kTied);
  double sum = 0;
  for (int t = 0; t < 8; ++t) sum += r.activations.at("d h.0.mlp.c_fc")[t * 10 + 3];
  EXPECT_NEAR(sum, r.grad[compiler::find_tensor(tensors, "h.0.mlp.c_fc.bias").offset + 3], 1e-12);
}

TEST(ReferenceGpt, WeightsAreRoundedAsTheyAreStreamed) {
  EXPECT_EQ(round_to_bf16(1 + 1.0F / 256), 1.0F);            // a tie goes to even
  EXPECT_EQ(round_to_bf16(1 + 3.0F / 256), 1 + 4.0F / 256);  // a tie in the other direction
  EXPECT_EQ(round_to_bf16(1e-39F), 0.0F);                    // subnormal
  EXPECT_TRUE(std::isinf(round_to_bf16(3.4e38F)));
  Case c(kTied, 1, 7);
  Case rounded = c;
  for (float& x : rounded.params) x = round_to_bf16(x);
  EXPECT_EQ(c.run(true).loss_sum, rounded.run().loss_sum);
  EXPECT_NE(c.run(true).loss_sum, c.run().loss_sum);
}

TEST(Tensors, HaveHuggingFaceShapesAndDenseOffsets) {
  const auto tensors = compiler::model_tensors(kUntied);
  std::uint64_t offset = 0;
  for (const compiler::TensorInfo& t : tensors) {
    EXPECT_EQ(t.offset, offset) << t.name;
    EXPECT_EQ(t.decay, t.dims.size() == 2) << t.name;
    offset += t.size;
  }
  EXPECT_EQ(compiler::parameter_count(tensors), offset);
  EXPECT_EQ(compiler::find_tensor(tensors, "h.0.attn.c_attn.weight").dims, (std::vector<int>{6, 18}));
  EXPECT_EQ(tensors.front().name, "wte.weight");
  EXPECT_EQ(tensors.back().name, "lm_head.weight");
  EXPECT_EQ(compiler::model_tensors(kTied).back().name, "ln_f.bias");
}

}  // namespace
}  // namespace weft::reference
