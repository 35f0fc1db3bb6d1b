/// Beats that the estimate derives from kernels and streams, compared with the functional model's counts.
#include <random>

#include "sw/base/refusal.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/planning/estimate/model_beats.hpp"

namespace weft::planning {
namespace {

void expect_those_of_the_model(const compiler::Plan& plan) {
  const std::vector<TokenId> ids = some_tokens(plan.model);
  expect_beats_of_the_model(plan, ids, ids);
}

TEST(Beats, RandomNetworksMatchTheModel) {
  const unsigned seed = std::random_device()();
  std::printf("seed %u\n", seed);
  std::mt19937 rng(seed);
  const auto between = [&rng](int low, int high) {
    return low + static_cast<int>(rng() % static_cast<unsigned>(high - low + 1));
  };
  for (int n = 0; n < 12;) {
    compiler::ModelShape model{.layers = between(1, 2), .heads = between(1, 6), .micro_batch = between(1, 6)};
    machine::WaferShape wafer{
        .rows = between(1, 9), .cols = between(1, 6), .lanes = 1 << between(1, 4), .sram_kib = 128};
    model.hidden = model.heads * between(1, 8);
    model.filter = between(1, 40);
    model.vocab = between(2, 60);
    model.seq = between(1, 40);
    if (between(0, 2) == 0) model.recompute = "block";
    if (between(0, 1) == 0) wafer.psum_cycles = 4;
    if (between(0, 1) == 0) wafer.sequence_columns = wafer.cols;
    try {
      const compiler::Plan plan = compiler::compile(model, wafer);
      SCOPED_TRACE("heads " + std::to_string(model.heads) + ", hidden " + std::to_string(model.hidden) + ", seq " +
                   std::to_string(model.seq) + ", " + std::to_string(wafer.rows) + "x" + std::to_string(wafer.cols) +
                   ", " + std::to_string(wafer.lanes) + " lanes, " + std::to_string(wafer.sequence_columns));
      expect_those_of_the_model(plan);
      ++n;
    } catch (const Refusal&) {
    }
  }
}

TEST(Beats, WithRotaryPositionsAreThoseOfTheModel) {
  for (const int rows : {2, 4, 7}) {
    const compiler::ModelShape model{
        .hidden = 48, .layers = 1, .heads = 3, .seq = 20, .rotary_dim = 6, .network = "gptj"};
    expect_those_of_the_model(compiler::compile(model, {.rows = rows, .cols = 2, .sram_kib = 128}));
  }
}

TEST(Beats, WithDropoutAreThoseOfTheModel) {
  compiler::ModelShape model{
      .hidden = 48, .layers = 1, .heads = 3, .seq = 20, .residual_dropout = 0.1, .embedding_dropout = 0.2};
  for (const int rows : {2, 5}) {
    expect_those_of_the_model(compiler::compile(model, {.rows = rows, .cols = 2, .sram_kib = 128}));
    model.attention_dropout = 0.3;
  }
  model.residual_dropout = model.embedding_dropout = 0;
  for (const char* network : {"gpt2", "bert"}) {
    model.network = network, model.segments = network[0] == 'b' ? 2 : 0;
    expect_those_of_the_model(compiler::compile(model, {.rows = 2, .cols = 2, .sram_kib = 128}));
    expect_those_of_the_model(compiler::compile(model, {.rows = 5, .cols = 2, .sram_kib = 128, .sequence_columns = 2}));
  }
}

TEST(Beats, WithRmsNormAndAGatedMlpAreThoseOfTheModel) {
  for (const int rows : {2, 4, 7}) {
    const compiler::ModelShape model{
        .hidden = 48, .layers = 1, .heads = 3, .seq = 20, .rotary_dim = 16, .network = "llama"};
    expect_those_of_the_model(compiler::compile(model, {.rows = rows, .cols = 2, .sram_kib = 128}));
  }
}

TEST(Beats, GroupedHeadsMatchTheModel) {
  for (const int rows : {2, 7}) {
    compiler::ModelShape model{.hidden = 48, .layers = 1, .heads = 6, .seq = 20, .rotary_dim = 8, .network = "llama"};
    model.kv_heads = 2, model.rotary.layout = "halves";
    expect_those_of_the_model(compiler::compile(model, {.rows = rows, .cols = 2, .sram_kib = 128}));
  }
}

/// Attention that is not causal, norms in place, and embeddings of segments.
TEST(Beats, BertMatchesTheModel) {
  for (const int columns : {1, 2}) {
    compiler::ModelShape model{.hidden = 48, .layers = 1, .heads = 3, .seq = 20, .network = "bert"};
    model.segments = 2, model.padding_token = 0;
    if (columns == 1) model.network = "bert_pretraining", model.classes = 2;
    expect_those_of_the_model(
        compiler::compile(model, {.rows = 7, .cols = 2, .sram_kib = 128, .sequence_columns = columns}));
  }
}

/// 513 rows leave 6 bits of an index for slots, so a base reaches 64 of them: GEMMs have up to four parts, with
/// separate shifts and biases.
void expect_those_on_many_rows(const std::string& network) {
  compiler::ModelShape model{
      .vocab = 30, .hidden = 16, .layers = 10, .heads = 2, .filter = 40, .seq = 4, .micro_batch = 1};
  model.network = network, model.rotary_dim = network == "gptj" ? 4 : network == "llama" ? 8 : 0;
  expect_those_of_the_model(compiler::compile(model, {.rows = 513, .cols = 1, .valves = 513}));
}
TEST(Beats, ManyRowsMatchTheModel) { expect_those_on_many_rows("llama"); }
TEST(BeatsLong, ManyRowsOfOtherNetworksMatchTheModel) {
  for (const char* network : {"gpt2", "gptj"}) expect_those_on_many_rows(network);
}

/// Groups of interleaved outputs, numbered or, on many rows, in rounds; the last of each home row is smaller. Main
/// copies a whole group's sums.
TEST(Beats, InterleavedOutputsMatchTheModel) {
  const compiler::ModelShape model{
      .vocab = 30, .hidden = 16, .layers = 1, .heads = 2, .filter = 40, .seq = 8, .micro_batch = 2};
  for (const int psum_cycles : {2, 4})
    for (const int rows : {4, 7})
      expect_those_of_the_model(
          compiler::compile(model, {.rows = rows, .cols = 2, .sram_kib = 128, .psum_cycles = psum_cycles}));
}

TEST(Beats, ManyColumnsMatchTheModel) {
  expect_those_of_the_model(
      compiler::compile({.layers = 1, .micro_batch = 17}, {.rows = 3, .cols = 17, .sram_kib = 64}));
}

}  // namespace
}  // namespace weft::planning
