/// Losses other than that of tokens: gradients follow the reference, and what cannot be is rejected.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "sw/base/refusal.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/reference/network.hpp"

namespace weft::network {
namespace {

/// A network of one MLP whose end is `losses`.
std::string network_with(const std::string& losses) {
  return R"(network: mine
tensors:
  wte.weight: {shape: [vocab, hidden], normal: 0.2}
  wpe.weight: {shape: [position, hidden], normal: 0.2}
  up.weight: {shape: [hidden, filter], normal: 0.2}
  down.weight: {shape: [filter, hidden], normal: 0.2}
  classes.weight: {shape: [class, hidden], normal: 0.2}
  classes.bias: {shape: [class], value: 0}
operations:
  - {embed: start, tokens: wte.weight, positions: wpe.weight, out: x}
  - {linear: up, in: x, out: u}
  - {relu: act, in: u, out: g}
  - {linear: down, in: g, add: x, out: y}
  - {linear: classes, in: y, out: scores}
)" + losses +
         "keep: [x, u]\n";
}

class OtherLosses : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }

  compiler::Plan compiled(const std::string& losses, int classes, const machine::WaferShape& wafer = {}) {
    std::ofstream(file_) << network_with(losses) << std::flush;
    compiler::ModelShape model{
        .vocab = 11, .hidden = 12, .layers = 1, .heads = 2, .filter = 20, .seq = 7, .tied = false, .micro_batch = 3};
    model.network = file_, model.classes = classes;
    return compiler::compile(model, wafer);
  }
  std::string refusal(const std::string& losses, int classes) {
    try {
      compiled(losses, classes);
    } catch (const Refusal& refused) {
      return refused.what();
    }
    return "no error";
  }

  const std::string file_ =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml";
};

void losses_follow_the_reference(const compiler::Plan& plan) {
  const std::vector<float> parameters = compiler::random_parameters(plan, 1);
  std::vector<TokenId> inputs = compiler::random_tokens(plan, plan.model.micro_batch, 2);
  for (std::size_t t = 0; t < inputs.size() && plan.model.has_segments(); ++t)
    inputs[t] = with_segment(inputs[t], static_cast<int>(t % 5) % plan.model.segments);
  const std::vector<TokenId> labels = compiler::random_labels(plan, plan.model.micro_batch, 3);
  const auto wafer = make_model_wafer(plan.wafer);
  const compiler::MicroBatchRun got = compiler::run_micro_batch(plan, *wafer, parameters, inputs, labels);
  EXPECT_EQ(wafer->flags(), "");
  const reference::NetworkResult expected = reference::reference_network(plan.model, parameters, inputs, labels);
  EXPECT_NEAR(got.loss_sum / expected.loss_sum, 1, 0.01);
  for (const compiler::TensorInfo& t : plan.tensors) {
    double dot = 0, a = 0, b = 0;
    for (std::uint64_t k = t.offset; k < t.offset + t.size; ++k)
      dot += got.grad[k] * expected.grad[k], a += got.grad[k] * got.grad[k], b += expected.grad[k] * expected.grad[k];
    if (b < 1e-18) continue;  // biases of keys
    EXPECT_GT(dot / std::sqrt(a * b), 0.99) << t.name;
    EXPECT_NEAR(std::sqrt(a / b), 1, 0.05) << t.name;
  }
}

constexpr const char* kClasses = "  - {class_loss: pairs, in: scores}\n";
constexpr const char* kNumbers = "  - {squared_error: numbers, in: scores}\n";

TEST_F(OtherLosses, FollowTheReference) {
  for (const auto& [rows, cols, columns] : {std::tuple{1, 1, 1}, {3, 2, 1}, {5, 4, 2}}) {
    SCOPED_TRACE(testing::Message() << rows << " rows, " << columns << " columns");
    const machine::WaferShape wafer{.rows = rows, .cols = cols, .sram_kib = 128, .sequence_columns = columns};
    losses_follow_the_reference(compiled(kClasses, 4, wafer));
    SCOPED_TRACE("numbers, or pairs");
    losses_follow_the_reference(compiled(kNumbers, 1, wafer));
    compiler::ModelShape bert{
        .vocab = 12, .hidden = 24, .layers = 2, .heads = 3, .filter = 40, .seq = 13, .micro_batch = 3};
    bert.network = "bert_pretraining", bert.segments = 2, bert.padding_token = 0, bert.classes = 2;
    for (const char* recompute : {"none", "block"}) {
      bert.recompute = recompute;
      losses_follow_the_reference(compiler::compile(bert, wafer));
    }
  }
}

/// The weight multiplies the gradients of classes, not those of tokens.
TEST_F(OtherLosses, TheWeightMultipliesTheGradientsOfClasses) {
  compiler::ModelShape model{.vocab = 12, .hidden = 24, .layers = 1, .heads = 3, .filter = 40, .seq = 8};
  model.network = "bert_pretraining", model.segments = 2, model.classes = 2;
  const compiler::Plan plan = compiler::compile(model, {.rows = 2, .cols = 2, .sram_kib = 128});
  const std::vector<float> parameters = compiler::random_parameters(plan, 1);
  const std::vector<TokenId> inputs = compiler::random_tokens(plan, plan.model.micro_batch, 2),
                             labels = compiler::random_labels(plan, plan.model.micro_batch, 3);
  const auto gradient = [&](float weight, const char* tensor) {
    compiler::Plan weighted = plan;
    const auto wafer = make_model_wafer(plan.wafer);
    const compiler::MicroBatchRun run = compiler::run_micro_batch(weighted, *wafer, parameters, inputs, labels, weight);
    return run.grad[compiler::find_tensor(plan.tensors, tensor).offset];
  };
  for (const float weight : {0.0F, 4.0F})
    EXPECT_EQ(gradient(weight, "cls.seq_relationship.bias"), weight * gradient(1, "cls.seq_relationship.bias"));
  EXPECT_NE(gradient(1, "cls.seq_relationship.bias"), 0);
  EXPECT_EQ(gradient(4, "cls.predictions.decoder.bias"), gradient(1, "cls.predictions.decoder.bias"));
}

TEST_F(OtherLosses, AreRejectedByName) {
  EXPECT_NE(refusal(kClasses, 0).find("model.num_classes: 0, but network"), std::string::npos) << refusal(kClasses, 0);
  EXPECT_NE(refusal(kNumbers, 2).find("compares one number of a token"), std::string::npos);
  EXPECT_NE(refusal(std::string(kClasses) + "  - {linear: up, in: y, out: w}\n", 2).find("end with loss"),
            std::string::npos);
  EXPECT_NE(refusal(std::string(kNumbers) + kClasses, 2).find("two losses are a class_loss, and a loss at the end"),
            std::string::npos);
  EXPECT_NE(refusal("  - {loss: tokens, in: scores}\n", 2).find("does not have vocabulary features"),
            std::string::npos);
  EXPECT_NE(refusal("  - {class_loss: pairs, in: y}\n", 2).find("does not have class features"), std::string::npos);
}

}  // namespace
}  // namespace weft::network
