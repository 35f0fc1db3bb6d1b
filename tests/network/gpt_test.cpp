/// GPT-2 and GPT-J compared with the reference in doubles that is built from the same file, GPT-2 also with the one
/// written by hand.
#include "tests/reference/gpt.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/network/network_files.hpp"

namespace weft::network {
namespace {

TEST_F(Networks, Gpt2FollowsBothReferences) {
  for (const bool tied : {true, false}) {
    const compiler::ModelShape model{
        .vocab = 30, .hidden = 24, .layers = 2, .heads = 3, .filter = 40, .seq = 8, .tied = tied};
    const compiler::Plan plan = compiler::compile(model, {});
    follows_the_reference(plan);
    const std::vector<float> parameters = compiler::random_parameters(plan, 1);
    const auto inputs = compiler::random_tokens(plan, 3, 2), labels = compiler::random_tokens(plan, 3, 3);
    const reference::ReferenceResult by_hand =
        reference::reference_gpt(model, plan.tensors, parameters, inputs, labels);
    const reference::NetworkResult by_file = reference::reference_network(model, parameters, inputs, labels);
    EXPECT_NEAR(by_file.loss_sum, by_hand.loss_sum, 1e-9);
    for (std::size_t k = 0; k < by_hand.grad.size(); ++k) ASSERT_NEAR(by_file.grad[k], by_hand.grad[k], 1e-9) << k;
  }
}

TEST_F(Networks, GptJFollowsTheReference) {
  const compiler::ModelShape model{
      .vocab = 30, .hidden = 24, .layers = 2, .heads = 3, .filter = 40, .seq = 8, .micro_batch = 3};
  // Heads on one row each, several on a row, or spread over rows; all or some features rotary.
  for (const auto& [rows, cols] : {std::pair{1, 1}, {3, 2}, {4, 3}, {12, 1}}) {
    for (const int turning : {8, 4}) {
      for (const char* recompute : {"none", "block"}) {
        SCOPED_TRACE(testing::Message() << rows << " rows, " << turning << ", " << recompute);
        compiler::ModelShape m = model;
        m.network = "gptj", m.rotary_dim = turning, m.recompute = recompute;
        follows_the_reference(compiler::compile(m, {.rows = rows, .cols = cols, .sram_kib = 128}));
      }
    }
  }
}

}  // namespace
}  // namespace weft::network
