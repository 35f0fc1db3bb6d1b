/// Vocabularies larger than the range of an index are split into blocks and train like the reference.
#include <gtest/gtest.h>

#include <cmath>

#include "sw/compiler/compile.hpp"
#include "sw/compiler/placement/blocks.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/compiler/shape_case.hpp"
#include "tests/reference/gpt.hpp"
#include "tests/reference/network.hpp"

namespace weft::compiler {
namespace {

/// Tokens of each block in turn, equally many of each.
std::vector<TokenId> tokens_of_blocks(const Plan& plan, unsigned seed) {
  std::vector<std::vector<TokenId>> of_block(static_cast<std::size_t>(plan.token_blocks));
  for (TokenId id = 0; id < static_cast<TokenId>(plan.model.vocab); ++id)
    of_block[plan.token_index[id] >> 16].push_back(id);
  std::mt19937 random(seed);
  std::vector<TokenId> tokens;
  while (tokens.size() < static_cast<std::size_t>(plan.model.micro_batch * plan.model.seq)) {
    const std::vector<TokenId>& some = of_block[tokens.size() % of_block.size()];
    tokens.push_back(some[random() % some.size()]);
  }
  return tokens;
}

class LargeVocabulary : public testing::TestWithParam<Case> {};

TEST_P(LargeVocabulary, GradientsFollowTheReference) {
  const Plan plan = compile(GetParam().model, GetParam().wafer);
  ASSERT_GT(plan.token_blocks, 1);
  const auto parameters = random_parameters(plan, 7);
  const auto inputs = tokens_of_blocks(plan, 1), labels = tokens_of_blocks(plan, 2);
  const auto wafer = make_model_wafer(plan.wafer);
  const MicroBatchRun ours = run_micro_batch(plan, *wafer, parameters, inputs, labels);
  EXPECT_EQ(wafer->flags(), "");
  double loss = 0;
  std::vector<double> grad;
  if (plan.model.network == "gpt2") {
    reference::ReferenceResult theirs = reference::reference_gpt(plan.model, plan.tensors, parameters, inputs, labels);
    loss = theirs.loss_sum, grad = std::move(theirs.grad);
  } else {
    reference::NetworkResult theirs = reference::reference_network(plan.model, parameters, inputs, labels);
    loss = theirs.loss_sum, grad = std::move(theirs.grad);
  }
  const auto tokens = static_cast<double>(inputs.size());
  EXPECT_NEAR(ours.loss_sum / tokens, loss / tokens, 0.01);
  for (const TensorInfo& tensor : plan.tensors) {
    double dot = 0, our = 0, their = 0;
    for (std::uint64_t k = tensor.offset; k < tensor.offset + tensor.size; ++k)
      dot += ours.grad[k] * grad[k], our += ours.grad[k] * ours.grad[k], their += grad[k] * grad[k];
    EXPECT_GE(dot / std::sqrt(our * their), 0.995) << tensor.name;
    EXPECT_NEAR(std::sqrt(our / their), 1, 0.03) << tensor.name;
  }
}

ModelShape smooth(ModelShape model) {
  model.label_smoothing = 0.1F;
  return model;
}
ModelShape gptj(ModelShape model) {
  model.network = "gptj", model.rotary_dim = 2;
  return model;
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, LargeVocabulary,
    testing::Values(
        Case{"tied", shape(40000, 8, 1, 2, 8, 4, true, 2), {.rows = 33, .cols = 2, .sram_kib = 128}},
        Case{"untied_four_cycles",
             shape(40000, 8, 1, 1, 8, 4, false, 1),
             {.rows = 33, .cols = 1, .sram_kib = 128, .psum_cycles = 4}},
        Case{"smooth", smooth(shape(35000, 4, 1, 1, 4, 4, true, 1)), {.rows = 17, .cols = 1, .sram_kib = 128}},
        Case{"biases_gptj", gptj(shape(40000, 8, 1, 2, 8, 4, false, 1)), {.rows = 33, .cols = 1, .sram_kib = 128}},
        Case{"two_lanes", shape(70000, 4, 1, 1, 4, 2, true, 1), {.rows = 17, .cols = 1, .lanes = 2, .sram_kib = 128}}),
    case_name);

TEST(LargeVocabularies, ABlockLeavesOutTheIndexThatIsNoToken) {
  ModelShape model = shape(65535, 4, 1, 1, 4, 2, true, 1);
  const machine::WaferShape wafer{.rows = 16, .cols = 1, .lanes = 2, .sram_kib = 128};
  for (const int vocab : {65520, 65521, 65536, 70000}) {
    model.vocab = vocab;
    const Plan plan = compile(model, wafer);
    EXPECT_EQ(plan.token_blocks, vocab > 16 * 4095 ? 2 : 1) << vocab;
    std::vector<std::uint32_t> indices = plan.token_index;
    for (const std::uint32_t index : indices) EXPECT_NE(index & 0xffff, kNoIndex);
    std::ranges::sort(indices);
    EXPECT_EQ(std::ranges::adjacent_find(indices), indices.end());
  }
}

}  // namespace
}  // namespace weft::compiler
