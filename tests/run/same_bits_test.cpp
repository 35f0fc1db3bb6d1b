/// Loss, gradient norm and state hash have the same bits for every number of wafers, tree, backend and repetition.
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "host/config/file/load.hpp"
#include "host/train/masks.hpp"
#include "host/train/trainer.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::test {
namespace {

struct Run {
  std::string backend;
  int num_csx;
  int fanout;
  int threads = 1;      ///< threads of a model wafer
  int psum_cycles = 0;  ///< 0: the configuration's value
};

std::vector<metrics::StepMetrics> train(const std::string& name, const Run& run,
                                        std::vector<config::Override> overrides, int steps) {
  overrides.push_back({"runconfig.num_csx", std::to_string(run.num_csx)});
  overrides.push_back({"swarmx.fanout", std::to_string(run.fanout)});
  overrides.push_back({"wafer.backend", run.backend});
  if (run.psum_cycles) overrides.push_back({"wafer.psum_cycles", std::to_string(run.psum_cycles)});
  const config::Config config = config::load_config(std::string(WEFT_CONFIGS) + "/" + name, overrides);
  const compiler::Plan plan = compiler::compile(config.group_model(), config.wafer, train::make_mask(config));
  train::Trainer trainer(config, plan, [&](int) {
    return run.backend == "rtl" ? make_rtl_wafer(config.wafer) : make_model_wafer(config.wafer, run.threads);
  });
  std::vector<metrics::StepMetrics> all;
  for (int s = 0; s < steps; ++s) all.push_back(trainer.step());
  return all;
}

void expect_same(const std::string& name, const std::vector<Run>& runs,
                 const std::vector<config::Override>& overrides = {}, int steps = 3) {
  const auto first = train(name, {"model", 1, 4}, overrides, steps);
  if (steps > 1) {
    EXPECT_NE(first[0].state_hash, first[1].state_hash);
  }
  for (const Run& run : runs) {
    SCOPED_TRACE(name + " on " + std::to_string(run.num_csx) + " x " + run.backend + ", fan-out " +
                 std::to_string(run.fanout) + ", " + std::to_string(run.threads) + " threads, " +
                 std::to_string(run.psum_cycles) + " cycles");
    const auto other = train(name, run, overrides, steps);
    for (int s = 0; s < steps; ++s) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(first[s].loss), std::bit_cast<std::uint64_t>(other[s].loss));
      EXPECT_EQ(first[s].grad_norm, other[s].grad_norm);
      EXPECT_EQ(first[s].state_hash, other[s].state_hash) << "step " << s + 1;
    }
  }
}

std::vector<Run> every(const std::string& backend) {
  std::vector<Run> runs;
  for (const int num_csx : {1, 2, 3, 4})
    for (const int fanout : {2, 4}) runs.push_back({backend, num_csx, fanout});
  return runs;
}

/// A change of one of these hashes means that the machine's results have changed.
TEST(SameBits, AreThoseOfAllCommitsBefore) {
  const auto hash = [](const char* name, int steps) {
    return train(name, {"model", 1, 4}, {}, steps).back().state_hash;
  };
  EXPECT_EQ(hash("gpt_tiny.yaml", 3), 0x7239030b0111dd35U);
  EXPECT_EQ(hash("gpt_small.yaml", 2), 0x7f182380736410a5U);
  EXPECT_EQ(hash("gptj_tiny.yaml", 3), 0x4044f3b015ac54f9U);
}

TEST(SameBits, TinyOnModelWafers) { expect_same("gpt_tiny.yaml", every("model")); }
TEST(SameBits, OblongOnModelWafers) { expect_same("gpt_oblong.yaml", every("model")); }
/// Masks do not depend on who computes a sample, nor on how often.
TEST(SameBits, TinyWithDropoutOnModelWafers) {
  std::vector<config::Override> drops = {{"model.residual_dropout_rate", "0.1"},
                                         {"model.embedding_dropout_rate", "0.1"}};
  expect_same("gpt_tiny.yaml", {{"model", 3, 2}, {"model", 4, 4, 2}}, drops, 2);
  const auto hash = [&] { return train("gpt_tiny.yaml", {"model", 1, 4}, drops, 2).back().state_hash; };
  EXPECT_EQ(hash(), 0x2097b7e4d70e6a4eU);
  drops.push_back({"model.recompute", "block"});
  EXPECT_EQ(hash(), 0x2097b7e4d70e6a4eU);
  drops.push_back({"runconfig.seed", "2"});
  EXPECT_NE(hash(), 0x2097b7e4d70e6a4eU);
  expect_same("gpt_tiny.yaml", {{"model", 1, 4}, {"model", 3, 2}}, {{"model.attention_dropout_rate", "0.1"}}, 2);
}
TEST(SameBits, TinyOnThreads) {
  expect_same("gpt_tiny.yaml", {{"model", 1, 4, 2}, {"model", 2, 2, 3}, {"model", 1, 4, 4}});
}
TEST(SameBits, OblongOnThreads) { expect_same("gpt_oblong.yaml", {{"model", 1, 4, 2}, {"model", 3, 2, 128}}); }
// A step on the RTL takes seconds: half a step of each kind here, and three steps of more wafers in `make test-long`.
const std::vector<config::Override> kVerySparse = {{"sparsity.sparsity", "0.99"}};
TEST(SameBits, SparseTinyWithPartialSumsInTwoCycles) {
  expect_same("gpt_tiny.yaml", {{"model", 1, 4, 1, 2}, {"rtl", 4, 4, 1, 2}}, kVerySparse, 1);
}
TEST(SameBits, SparseOblongWithPartialSumsInFourCycles) {
  expect_same("gpt_oblong.yaml", {{"model", 1, 4, 1, 4}, {"rtl", 1, 4, 1, 4}}, kVerySparse, 1);
}
/// A step of half as many sequences: a micro-batch on each of two wafers.
void expect_same_on_rtl_wafers(const std::string& name, std::vector<config::Override> overrides = {}) {
  overrides.push_back({"train_input.batch_size", "8"});
  expect_same(name, {{"rtl", 2, 2}}, overrides, 1);
}
TEST(SameBits, TinyOnRtlWafers) { expect_same_on_rtl_wafers("gpt_tiny.yaml"); }
TEST(SameBits, OblongOnAnRtlWafer) { expect_same("gpt_oblong.yaml", {{"rtl", 1, 2}}, {}, 1); }

const std::vector<config::Override> kRandom = {{"sparsity.sparsity", "0.9"}};
const std::vector<config::Override> kTopk = {
    {"sparsity.sparsity", "0.9"}, {"sparsity.init_method", "topk"}, {"sparsity.params_filter", "'*'"}};

TEST(SameBits, SparseTinyOnModelWafers) { expect_same("gpt_tiny.yaml", every("model"), kRandom); }
TEST(SameBits, SparseOblongOnModelWafers) { expect_same("gpt_oblong.yaml", every("model"), kTopk); }
TEST(SameBits, SparseTinyOnRtlWafers) { expect_same_on_rtl_wafers("gpt_tiny.yaml", kRandom); }
TEST(SameBits, SparseOblongOnRtlWafers) { expect_same("gpt_oblong.yaml", {{"rtl", 3, 2}}, kTopk, 2); }

/// Overrides with mask updates before steps 2 and 3.
std::vector<config::Override> moving(const std::string& algorithm) {
  std::vector<config::Override> all = {{"sparsity.sparsity", "0.9"},
                                       {"sparsity.algorithm", algorithm},
                                       {"sparsity.update_freq", "1"},
                                       {"sparsity.update_stop", "4"}};
  if (algorithm == "gmp") all.push_back({"sparsity.initial_sparsity", "0.3"});
  return all;
}
TEST(SameBits, TinyWithDynamicMasksOnModelAndOblongOnRtlWafers) {
  for (const char* algorithm : {"set", "rigl", "gmp"})
    expect_same("gpt_tiny.yaml", {{"model", 2, 4}, {"model", 4, 2}}, moving(algorithm));
  expect_same("gpt_oblong.yaml", {{"rtl", 3, 2}}, moving("rigl"), 2);
}

TEST(SameBits, GptJOnModelWafers) { expect_same("gptj_tiny.yaml", {{"model", 3, 2}}, {}, 2); }
const config::Override kOneLayer = {"model.num_hidden_layers", "1"};
TEST(SameBits, GptJOnRtlWafers) { expect_same_on_rtl_wafers("gptj_tiny.yaml", {kOneLayer}); }
/// Two heads of queries share keys and values.
const std::vector<config::Override> kLlama = {{"model.network", "llama"},
                                              {"model.num_kv_heads", "2"},
                                              {"model.rotary_dim", "8"},
                                              {"model.rotary_layout", "halves"}};
TEST(SameBits, LlamaOnModelWafers) { expect_same("gpt_tiny.yaml", {{"model", 3, 2}}, kLlama, 2); }
TEST(SameBits, LlamaOnRtlWafers) {
  std::vector<config::Override> overrides = kLlama;
  overrides.push_back(kOneLayer);
  expect_same_on_rtl_wafers("gpt_tiny.yaml", overrides);
}
void expect_same_over_columns(const std::vector<Run>& gpt2, const Run& gptj, int steps) {
  expect_same("gpt_tiny.yaml", gpt2, {{"wafer.sequence_columns", "4"}}, steps);
  expect_same("gptj_tiny.yaml", {{"model", 3, 2, 2}, gptj},
              {{"wafer.sequence_columns", "2"}, {"model.recompute", "block"}}, steps);
}
// On the RTL, TrainingStep.SequencesOverColumnsAgreeOpByOp compares a step.
TEST(SameBits, SequencesOverColumnsOnModelWafers) {
  expect_same_over_columns({{"model", 4, 2}}, {"model", 4, 4, 1, 2}, 2);
}

TEST(SameBits, RowsThatShareKeysOnModelWafers) {
  expect_same("gpt_tiny.yaml", {{"model", 4, 2}, {"model", 3, 4, 2}, {"model", 1, 4, 1, 2}},
              {{"wafer.sequence_columns", "4"}, {"model.num_heads", "2"}, {"wafer.attention", "shared"}}, 2);
}

/// A step with blocks computed again has the bits of one that keeps their activations.
void expect_same_again(const std::string& name, const std::string& backend, std::vector<config::Override> overrides,
                       int steps) {
  SCOPED_TRACE(name + " on " + backend);
  const auto kept = train(name, {"model", 1, 4}, overrides, steps);
  overrides.push_back({"model.recompute", "block"});
  const auto again = train(name, {backend, 4, 4}, overrides, steps);
  for (int s = 0; s < steps; ++s) {
    EXPECT_EQ(kept[s].loss, again[s].loss);
    EXPECT_EQ(kept[s].state_hash, again[s].state_hash);
  }
}
TEST(SameBits, WithBlocksComputedAgain) {
  for (const char* name : {"gpt_tiny.yaml", "gptj_tiny.yaml"}) expect_same_again(name, "model", {}, 2);
  expect_same_again("gpt_tiny.yaml", "rtl", kVerySparse, 1);
}

// Minutes each: only in `make test-long`.
TEST(SameBitsLong, TinyOnRtlWafers) { expect_same("gpt_tiny.yaml", every("rtl")); }
TEST(SameBitsLong, SequencesOverColumns) {
  expect_same_over_columns({{"model", 4, 2}, {"rtl", 4, 4}, {"rtl", 3, 2, 1, 2}}, {"rtl", 4, 4}, 3);
}
TEST(SameBitsLong, TinyWithBlocksComputedAgainOnRtlWafers) {
  expect_same("gpt_tiny.yaml", {{"rtl", 4, 4}}, {{"model.recompute", "block"}});
}
TEST(SameBitsLong, RecomputedBlocksOnRtlWafers) {
  for (const char* name : {"gpt_tiny.yaml", "gptj_tiny.yaml"}) expect_same_again(name, "rtl", {}, 1);
}
TEST(SameBitsLong, SparseTinyOnRtlWafers) {
  expect_same("gpt_tiny.yaml", {{"rtl", 4, 4}}, kRandom);
  expect_same("gpt_tiny.yaml", {{"rtl", 4, 4, 1, 2}}, kVerySparse);
}
TEST(SameBitsLong, OblongWithDynamicMasksOnRtlWafers) {
  for (const char* algorithm : {"set", "rigl", "gmp"})
    expect_same("gpt_oblong.yaml", {{"rtl", 3, 2}}, moving(algorithm));
}
TEST(SameBitsLong, OblongOnRtlWafers) { expect_same("gpt_oblong.yaml", every("rtl")); }
TEST(SameBitsLong, WithOtherPartialSums) {
  expect_same("gpt_tiny.yaml", {{"rtl", 4, 4, 1, 2}});
  expect_same("gpt_oblong.yaml", {{"rtl", 3, 4, 1, 4}});
}
TEST(SameBitsLong, GptJOnRtlWafers) {
  expect_same("gptj_tiny.yaml", {{"rtl", 4, 4}});
  expect_same("gptj_tiny.yaml", {{"rtl", 4, 2}}, {{"model.recompute", "block"}});
}
TEST(SameBitsLong, LlamaOnRtlWafers) {
  expect_same("gpt_tiny.yaml", {{"rtl", 1, 4}, {"rtl", 3, 2}}, kLlama, 2);
  std::vector<config::Override> one = kLlama;
  one[1].value = "1";
  one.insert(one.end(), {{"model.recompute", "block"}, {"wafer.sequence_columns", "2"}});
  expect_same("gpt_tiny.yaml", {{"rtl", 3, 2}}, one, 2);
}

}  // namespace
}  // namespace weft::test
