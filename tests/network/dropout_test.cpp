/// Dropout in networks: gradients with the reference's masks, and none in evaluations.
#include <fmt/format.h>

#include <string_view>

#include "sw/compiler/plan/plan_file.hpp"
#include "tests/network/network_files.hpp"

namespace weft::network {
namespace {

compiler::ModelShape model_of(std::string_view network) {
  compiler::ModelShape m{.vocab = 30, .hidden = 24, .layers = 2, .heads = 3, .filter = 40, .seq = 8, .micro_batch = 3};
  m.network = network, m.residual_dropout = 0.2, m.embedding_dropout = 0.1, m.dropout_seed = 7;
  if (network == "gptj" || network == "llama") m.rotary_dim = 8, m.tied = false;
  if (network == "bert") m.segments = 2;
  return m;
}

/// Blocks that normalize before and after their sums, that are parallel, and that are computed again.
TEST(Dropout, FollowsTheReferenceInBuiltInNetworks) {
  for (const auto& [network, recompute] : {std::pair{"gpt2", "none"}, {"gptj", "block"}, {"bert", "block"}}) {
    SCOPED_TRACE(network);
    compiler::ModelShape model = model_of(network);
    model.recompute = recompute;
    follows_the_reference(compiler::compile(model, {.rows = 3, .cols = 2, .sram_kib = 128}), 0.5F);
  }
}

TEST(Dropout, HasTheSameMasksInBlocksThatAreComputedAgain) {
  for (const char* network : {"gpt2", "llama", "bert"}) {
    SCOPED_TRACE(network);
    compiler::ModelShape model = model_of(network);
    const machine::WaferShape wafer{.rows = 3, .cols = 2, .sram_kib = 128};
    const compiler::Plan kept = compiler::compile(model, wafer);
    model.recompute = "block";
    const compiler::Plan block = compiler::compile(model, wafer);
    const std::vector<float> parameters = compiler::random_parameters(kept, 1);
    EXPECT_TRUE(run_on_model(kept, parameters).got.grad == run_on_model(block, parameters).got.grad);
  }
}

/// Weights of attention, causal and not, in one column and in several, with heads on rows of their own and spread over
/// rows, and with several documents. Parameters are large, so that scores have gradients that count.
TEST(Dropout, AttentionWeightsFollowTheReference) {
  struct OfWeights {
    const char* network;
    machine::WaferShape wafer;
    int document_end = -1;
  };
  const OfWeights cases[] = {{"gpt2", {.rows = 2, .cols = 2, .sram_kib = 128}},
                             {"gpt2", {.rows = 6, .cols = 2, .sram_kib = 128, .sequence_columns = 2}, 1},
                             {"bert", {.rows = 7, .cols = 3, .lanes = 2, .sram_kib = 128}},
                             {"bert", {.rows = 3, .cols = 3, .lanes = 2, .sram_kib = 128, .sequence_columns = 3}}};
  for (const auto& [network, wafer, document_end] : cases) {
    SCOPED_TRACE(fmt::format("{} on {} rows and {} columns a sequence", network, wafer.rows, wafer.sequence_columns));
    compiler::ModelShape model = model_of(network);
    model.residual_dropout = model.embedding_dropout = 0, model.attention_dropout = 0.3;
    model.document_end = document_end;
    follows_the_reference(compiler::compile(model, wafer), 3);
  }
}

/// The third network with dropout of p in place, between the function and the linear, and with p = 0.5 of the
/// embedding.
std::string dropping(const std::string& p) {
  std::string text = kThird;
  const auto behind = [&](const std::string& line, const std::string& more) {
    text.insert(text.find(line) + line.size(), more);
  };
  behind("out: g}\n", "      - {dropout: drop, in: g, out: g, p: " + p + "}\n");
  behind("positions: wpe.weight, out: x}\n", "  - {dropout: drop_x, in: x, out: x, p: " + p + "}\n");
  return text;
}

TEST_F(Networks, DropoutInPlaceFollowsTheReference) {
  std::ofstream(third_) << dropping("0.3") << std::flush;
  compiler::ModelShape model{.vocab = 30, .hidden = 20, .layers = 2, .heads = 1, .filter = 36, .seq = 8, .tied = false};
  model.network = third_;
  for (const char* recompute : {"none", "block"}) {
    model.recompute = recompute;
    follows_the_reference(compiler::compile(model, {.rows = 3, .cols = 2, .sram_kib = 128}));
  }
}

/// An evaluation has the bits of a pass in which nothing is dropped.
TEST_F(Networks, EvaluationsDropNothing) {
  std::ofstream(third_) << dropping("0.6") << std::flush;
  std::ofstream(again_) << dropping("0") << std::flush;
  compiler::ModelShape model{.vocab = 30, .hidden = 20, .layers = 2, .heads = 1, .filter = 36, .seq = 8, .tied = false};
  const machine::WaferShape wafer{.rows = 3, .cols = 2, .sram_kib = 128};
  const auto words = [&](const std::string& network, const compiler::DropoutSamples* samples) {
    model.network = network;
    const compiler::Plan plan = compiler::compile(model, wafer);
    const auto on = make_model_wafer(wafer);
    const std::vector<TokenId> ids = compiler::random_tokens(plan, model.micro_batch, 2);
    std::vector<machine::Message> messages;
    on->feed(plan.load);
    for (const compiler::DropoutSamples* before : {&compiler::kDropped, samples})  // the flag is cleared again
      on->feed(plan.tokens(ids, ids, 1, before));
    for (std::size_t op = 0; op < plan.forward_ops; ++op) {
      compiler::expand(plan.ops[op], compiler::random_parameters(plan, 1), messages);
      on->feed(messages);
    }
    on->settle();
    return on->outlet(0);
  };
  const auto none = words(again_, nullptr);
  EXPECT_EQ(words(third_, nullptr), none);
  EXPECT_NE(words(third_, &compiler::kDropped), none);
}

/// Networks without dropout do not depend on its seed, and those with dropout do, but only in what is sent with tokens.
TEST(Dropout, SeedIsPartOfPlansThatDrop) {
  compiler::ModelShape model = model_of("gpt2");
  const machine::WaferShape wafer{.rows = 3, .cols = 2, .sram_kib = 128};
  const auto plan_of = [&](std::uint64_t seed) {
    model.dropout_seed = seed;
    return compiler::compile(model, wafer);
  };
  const auto ids = compiler::random_tokens(plan_of(1), 3, 2);
  const auto sent = [&](std::uint64_t seed) { return plan_of(seed).tokens(ids, ids, 1, &compiler::kDropped); };
  const auto file = [&](std::uint64_t seed) { return compiler::encode_plan({plan_of(seed), "", 0}); };
  EXPECT_FALSE(sent(1) == sent(2));
  EXPECT_TRUE(plan_of(1).load == plan_of(2).load);
  const compiler::Plan read = compiler::decode_plan(file(1), "x").plan;
  EXPECT_TRUE(read.tokens(ids, ids, 1, &compiler::kDropped) == sent(1));
  EXPECT_EQ(read.model.residual_dropout, 0.2);
  EXPECT_EQ(read.model.embedding_dropout, 0.1);
  model.residual_dropout = model.embedding_dropout = 0;
  EXPECT_TRUE(sent(1) == sent(2));
  EXPECT_TRUE(file(1) == file(2));
}

}  // namespace
}  // namespace weft::network
