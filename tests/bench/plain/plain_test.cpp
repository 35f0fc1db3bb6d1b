/// The benchmarks' plain trainer, compared with GPT-2 in doubles and a textbook AdamW.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bench/plain/gpt.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/reference/gpt.hpp"

namespace weft::bench {
namespace {

constexpr int kSequences = 3;

struct Case {
  compiler::ModelShape model;
  std::vector<compiler::TensorInfo> tensors;
  std::vector<float> parameters;
  std::vector<TokenId> inputs, labels;

  explicit Case(bool tied) {
    model = {.vocab = 19, .hidden = 12, .layers = 2, .heads = 3, .filter = 20, .seq = 7, .tied = tied};
    tensors = compiler::model_tensors(model);
    std::mt19937 random(5);
    std::normal_distribution<float> normal;
    parameters.resize(compiler::parameter_count(tensors));
    for (const compiler::TensorInfo& t : tensors)
      for (std::uint64_t k = t.offset; k < t.offset + t.size; ++k) parameters[k] = t.init_value + 0.2F * normal(random);
    const auto tokens = [&](std::vector<TokenId>& v) {
      for (int t = 0; t < kSequences * model.seq; ++t) v.push_back(static_cast<TokenId>(random() % model.vocab));
    };
    tokens(inputs), tokens(labels);
  }
};

void step_is_right(bool tied) {
  const Case c(tied);
  const double tokens = static_cast<double>(c.inputs.size());
  plain::Gpt gpt(c.model, kSequences, c.parameters);
  std::vector<double> w(c.parameters.begin(), c.parameters.end()), m(w.size()), v(w.size());
  const plain::AdamW o{.learning_rate = 0.01F};
  for (int step = 1; step <= 2; ++step) {
    const reference::ReferenceResult right =
        reference::reference_gpt(c.model, c.tensors, gpt.parameters(), c.inputs, c.labels, false);
    EXPECT_NEAR(gpt.gradient(c.inputs, c.labels), right.loss_sum / tokens, 1e-5);
    double norm = 0;
    for (std::size_t k = 0; k < w.size(); ++k) {
      EXPECT_NEAR(gpt.gradients()[k], right.grad[k] / tokens, 1e-5) << "step " << step << ", parameter " << k;
      norm += std::pow(gpt.gradients()[k], 2);
    }
    const double clip = std::min(1.0, 1 / std::sqrt(norm));
    for (const compiler::TensorInfo& t : c.tensors)
      for (std::uint64_t k = t.offset; k < t.offset + t.size; ++k) {
        const double g = clip * gpt.gradients()[k];
        m[k] = 0.9 * m[k] + 0.1 * g;
        v[k] = 0.95 * v[k] + 0.05 * g * g;
        w[k] -= 0.01 * (t.decay ? 0.1 : 0) * w[k];
        w[k] -= 0.01 * m[k] / (1 - std::pow(0.9, step)) / (std::sqrt(v[k] / (1 - std::pow(0.95, step))) + 1e-8);
      }
    gpt.update(o);
    for (std::size_t k = 0; k < w.size(); ++k) EXPECT_NEAR(gpt.parameters()[k], w[k], 2e-5) << k;
  }
}

TEST(PlainTrainer, StepsAsTheReferenceDoes) { step_is_right(true); }
TEST(PlainTrainer, SoItDoesWithAnUntiedHead) { step_is_right(false); }

}  // namespace
}  // namespace weft::bench
