/// The compiler's errors about configurations that it cannot plan, and the correctness of their hints.
#include "sw/compiler/check/check.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>

#include "sw/base/refusal.hpp"
#include "sw/compiler/check/misfits.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/machine/message.hpp"

namespace weft::compiler {
namespace {

/// The message that compile() fails with; empty if it succeeds.
std::string complaint(const ModelShape& model, const machine::WaferShape& wafer) {
  try {
    compile(model, wafer);
    return "";
  } catch (const Refusal& error) {
    return error.what();
  }
}

std::string with(int ModelShape::*field, int value) {
  ModelShape m;
  m.*field = value;
  return complaint(m, {});
}

std::string with(int machine::WaferShape::*field, int value) {
  machine::WaferShape w;
  w.*field = value;
  return complaint({}, w);
}

/// Checks that the configuration fails with this message, and fits once `key` has the value of the hint.
void expect_until(const std::string& text, ModelShape model, const machine::WaferShape& wafer, int ModelShape::*key,
                  int value) {
  EXPECT_EQ(complaint(model, wafer), text);
  model.*key = value;
  EXPECT_EQ(complaint(model, wafer), "");
}

TEST(Check, HeadsThatDoNotDivideNameTheNearestThatDo) {
  EXPECT_EQ(with(&ModelShape::heads, 5), "model.num_heads: 5 does not divide hidden_size 32. HINT: use 4 or 8.");
  EXPECT_EQ(with(&ModelShape::heads, 0), "model.num_heads: 0 does not divide hidden_size 32. HINT: use 1.");
  EXPECT_EQ(with(&ModelShape::heads, 99), "model.num_heads: 99 does not divide hidden_size 32. HINT: use 32.");
  EXPECT_EQ(with(&ModelShape::hidden, 0),
            "model.hidden_size: 0 is not in 1..65535 (a PE counts features in 16 bits). HINT: use 1.");
}

TEST(Check, HeadsThatCannotShareKeysAreNamed) {
  ModelShape model;
  model.network = "llama", model.rotary_dim = 8, model.kv_heads = 3;
  expect_until("model.num_kv_heads: 3 does not divide num_heads 4. HINT: use 2 or 4.", model, {}, &ModelShape::kv_heads,
               2);
  model.kv_heads = 5;
  EXPECT_EQ(complaint(model, {}), "model.num_kv_heads: 5 is not in 0..4 (model.num_heads). HINT: use 4.");
  model.hidden = 516, model.heads = 258, model.rotary_dim = 2, model.kv_heads = 1;
  model.seq = 4, model.micro_batch = 1, model.layers = 1, model.filter = 8;
  expect_until("model.num_kv_heads: 258 heads of queries share a head of keys and values, and 128 can. HINT: use 3.",
               model, {.rows = 8, .cols = 1, .sram_kib = 128}, &ModelShape::kv_heads, 3);
  EXPECT_EQ(
      with(&ModelShape::kv_heads, 2),
      "model.num_kv_heads: 2, but in network gpt2 each of the 4 heads has keys and values of its own. HINT: leave "
      "it out, or use llama, or a network file with kv_head in the shapes of keys and values.");
  EXPECT_EQ(with(&ModelShape::kv_heads, 4), "");
}

TEST(Check, LimitsOfScaledFrequenciesAreInOrder) {
  ModelShape model;
  model.network = "llama", model.rotary_dim = 8, model.rotary.scaling = "llama3", model.rotary.low_turns = 4;
  EXPECT_EQ(complaint(model, {}),
            "model.rope_low_freq_factor: 4 is not below rope_high_freq_factor 4. HINT: use 1 and 4, as LLaMA 3.");
  model.rotary.low_turns = 1;
  EXPECT_EQ(complaint(model, {}), "");
}

TEST(Check, ShapesOutOfRangeNameTheKey) {
  EXPECT_EQ(with(&machine::WaferShape::rows, 1025),
            "wafer.rows: 1025 is not in 1..1024 (a weight's index names a row and a place there in 16 bits). HINT: use "
            "1024.");
  EXPECT_EQ(with(&machine::WaferShape::cols, 0), "wafer.cols: 0 is not in 1..1024. HINT: use 1.");
  for (const int lanes : {-4, 0, 1, 3, 6, 32})
    EXPECT_EQ(with(&machine::WaferShape::lanes, lanes),
              "wafer.lanes: " + std::to_string(lanes) + " is not 2, 4, 8 or 16. HINT: use 4.");
  EXPECT_EQ(with(&machine::WaferShape::sram_kib, 0),
            "wafer.sram_kib: 0 is not in 1..128 (addresses have 16 bits). HINT: use 1.");
  EXPECT_EQ(with(&machine::WaferShape::valves, 5), "wafer.valves: 5 is not in 1..4 (wafer.rows). HINT: use 4.");
  EXPECT_EQ(with(&ModelShape::filter, 0),
            "model.filter_size: 0 is not in 1..65535 (a PE counts features in 16 bits). HINT: use 1.");
  EXPECT_EQ(with(&ModelShape::layers, 0), "model.num_hidden_layers: 0 is not in 1..4096. HINT: use 1.");
  EXPECT_EQ(with(&ModelShape::seq, -7), "model.max_sequence_length: -7 is not in 1..65535. HINT: use 1.");
  EXPECT_EQ(with(&ModelShape::micro_batch, 0), "train_input.micro_batch_size: 0 is not in 1..65535. HINT: use 1.");
  for (const int vocab : {1, 327676})
    EXPECT_EQ(
        with(&ModelShape::vocab, vocab),
        "model.vocab_size: " + std::to_string(vocab) +
            " is not in 2..327675 (5 blocks, in which a token is an index of 16 bits and one value is not a token). "
            "HINT: use " +
            std::to_string(vocab < 2 ? 2 : 327675) + ".");
}

TEST(Check, AModelThatDoesNotFitSaysHowManyBytesForWhatAndWhatWouldFit) {
  ModelShape m;
  m.layers = 6, m.micro_batch = 8;
  EXPECT_EQ(
      complaint(m, {}),
      "wafer.sram_kib: every PE needs 80,880 bytes of SRAM and has 49,152 (48 KiB): kept for backward 62,976 + "
      "logits, MLP or attention in turn 6,144 + attention scores 4,096 + LayerNorm 2,176 + deltas 2,048 + residual "
      "stream 2,048 + tokens and labels 512 + deltas on their way 512 + constants 240 + softmax 128. HINT: use "
      "wafer.sram_kib 79 or wafer.rows 8 or wafer.cols 8 or train_input.micro_batch_size 4 or "
      "model.recompute block or model.num_hidden_layers 2 or model.max_sequence_length 16 or model.hidden_size 8.");
}

TEST(Check, TheHintForAModelThatNoSingleSettingMakesFitNamesSeveral) {
  ModelShape m;
  m.hidden = 128, m.filter = 512, m.layers = 4;
  m.hidden = 512, m.filter = 2048;
  const std::string text = complaint(m, {.sram_kib = 8});
  EXPECT_EQ(text.substr(text.find("HINT")), "HINT: use wafer.sram_kib 125 and wafer.rows 15 together.");
}

/// The value that the message's hint offers for `key`.
std::optional<int> offered(const std::string& text, const std::string& key) {
  const std::size_t hint = text.find("HINT"), at = text.find(key + " ", hint == std::string::npos ? text.size() : hint);
  return at == std::string::npos ? std::nullopt : std::optional(std::stoi(text.substr(at + key.size() + 1)));
}

/// The largest hidden size below the model's that compiles, by exhaustive search; the filter stays 4 x hidden or
/// unchanged.
std::optional<int> largest_hidden(const ModelShape& model, const machine::WaferShape& wafer) {
  for (ModelShape m = model; (m.hidden -= m.heads) >= m.heads;) {
    if (m.filter_follows) m.filter = 4 * m.hidden;
    if (misfits(m, wafer).empty()) return m.hidden;
  }
  return std::nullopt;
}

TEST(Check, TheHintForGpt2SmallNamesAMeshThatHoldsIt) {
  const ModelShape m{
      .vocab = 50257, .hidden = 768, .layers = 12, .heads = 12, .filter = 3072, .seq = 1024, .micro_batch = 1};
  const std::string refusal = complaint(m, {.sequence_columns = 0});
  EXPECT_NE(refusal.find("HINT: use wafer.sram_kib 128, wafer.rows 77 and wafer.cols 64 together."), std::string::npos)
      << refusal;
  EXPECT_EQ(complaint(m, {.rows = 77, .cols = 64, .sram_kib = 128, .sequence_columns = 0}), "");
  EXPECT_NE(complaint(m, {.rows = 77, .cols = 63, .sram_kib = 128, .sequence_columns = 0}), "");
}

TEST(Check, ADefaultFilterFollowsTheOfferedHiddenSize) {
  int apart = 0, offers = 0;
  for (const int heads : {1, 4, 12}) {
    for (const int hidden : {120, 264, 384}) {
      for (const int sram_kib : {12, 24, 40}) {
        ModelShape m{.hidden = hidden, .layers = 2, .heads = heads, .filter = 4 * hidden, .seq = 16};
        const machine::WaferShape w{.sram_kib = sram_kib};
        SCOPED_TRACE(testing::Message() << heads << " heads, hidden " << hidden << ", " << sram_kib << " KiB");
        if (misfits(m, w).empty()) continue;
        const std::string kept = complaint(m, w);
        m.filter_follows = true;
        const std::optional<int> followed = offered(complaint(m, w), "model.hidden_size");
        m.filter_follows = false;
        EXPECT_EQ(offered(kept, "model.hidden_size"), largest_hidden(m, w));
        m.filter_follows = true;
        EXPECT_EQ(followed, largest_hidden(m, w));
        offers += followed.has_value();
        apart += followed != offered(kept, "model.hidden_size");
      }
    }
  }
  EXPECT_GT(offers, 5);
  EXPECT_GT(apart, 5) << "no case tells the two apart";
}

/// Each hint respects the constraints of other keys: a head's rotary pairs, the token that ends a document.
TEST(Check, HintsAreAcceptedWithRotaryPairsAndDocumentEnds) {
  std::mt19937 rng(1);
  const auto any = [&](std::initializer_list<int> of) { return of.begin()[rng() % of.size()]; };
  int hidden = 0, vocab = 0;
  for (int n = 0; n < 120; ++n) {
    const int dim = any({6, 16, 32}), heads = any({1, 2, 4});
    ModelShape m{.vocab = any({40, 300, 3000}), .hidden = dim * heads, .layers = any({1, 3}), .heads = heads};
    m.network = "gptj", m.rotary_dim = std::min(dim, any({2, 4, 32})), m.filter = 4 * m.hidden;
    m.seq = any({3, 20, 40}), m.micro_batch = any({1, 5}), m.document_end = any({-1, 3, m.vocab - 1});
    const machine::WaferShape w{
        .rows = any({1, 4, 5}), .cols = any({1, 2}), .lanes = any({2, 4, 16}), .sram_kib = any({6, 10, 16})};
    const std::string text = complaint(m, w);
    const auto expect_taken = [&](const char* key, int ModelShape::*field, int& times) {
      const auto value = offered(text, key);
      if (!value || text.find("together") != std::string::npos) return;
      ModelShape smaller = m;
      smaller.*field = *value;
      EXPECT_EQ(complaint(smaller, w), "") << text;
      ++times;
    };
    expect_taken("model.hidden_size", &ModelShape::hidden, hidden);
    expect_taken("model.vocab_size", &ModelShape::vocab, vocab);
  }
  EXPECT_GT(hidden, 0);
  EXPECT_GT(vocab, 0);
}

TEST(Check, HeadsOfAnOddNumberOfFeaturesCannotTurn) {
  ModelShape m{.vocab = 97, .hidden = 51, .layers = 1, .heads = 3, .filter = 64, .seq = 8, .micro_batch = 4};
  m.network = "gptj";
  EXPECT_EQ(complaint(m, {}),
            "model.rotary_dim: 0, but network gptj rotates features by position. HINT: first use heads of an even "
            "number of features: model.hidden_size 54 or model.num_heads, 17 features a head now.");
  m.hidden = 54;
  EXPECT_EQ(complaint(m, {}), "model.rotary_dim: 0, but network gptj rotates features by position. HINT: use 18.");
  m.rotary_dim = 18;
  EXPECT_EQ(complaint(m, {}), "");
  m.rotary_dim = 20;
  EXPECT_EQ(complaint(m, {}), "model.rotary_dim: 20 is not in 0..18 (pairs of a head's features). HINT: use 18.");
}

TEST(Check, TokensBeyondTheAccumulatorFileAreCounted) {
  expect_until(
      "train_input.micro_batch_size: 22 sequences of 8 on wafer.cols 1 are 176 tokens a column, whose accumulator "
      "file holds 168. HINT: use wafer.cols 2 or train_input.micro_batch_size 11 or model.max_sequence_length 4 or "
      "wafer.lanes 8.",
      {.vocab = 4, .hidden = 4, .layers = 1, .heads = 1, .filter = 4, .seq = 8, .micro_batch = 22}, {.cols = 1},
      &ModelShape::micro_batch, 21);
}

TEST(Check, ASequenceLongerThanAColumnIsRefused) {
  expect_until(
      "model.max_sequence_length: a sequence of 169 lies in one column, whose accumulator file holds 168 tokens. "
      "HINT: use model.max_sequence_length 168.",
      {.vocab = 4, .hidden = 4, .layers = 1, .heads = 1, .filter = 4, .seq = 169, .micro_batch = 1}, {.sram_kib = 128},
      &ModelShape::seq, 168);
}

TEST(Check, AnIndexMustNameEveryFeature) {
  expect_until(
      "wafer.rows: 9 rows leave 12 of the 16 bits of a weight's index: 4,096 places in a PE, and model.filter_size "
      "needs 4,100. HINT: use wafer.rows 10 or model.filter_size 36864.",
      {.vocab = 4, .hidden = 8, .layers = 1, .heads = 1, .filter = 36900, .seq = 2, .micro_batch = 1},
      {.rows = 9, .cols = 1, .lanes = 2, .sram_kib = 128}, &ModelShape::filter, 36864);
}

TEST(Check, AVocabularyHasAsManyBlocksAsAGemmHasBases) {
  expect_until(
      "wafer.rows: 33 rows leave 10 of the 16 bits of a weight's index: 5 blocks of 1,023 places in a PE, and "
      "model.vocab_size needs 5,152. HINT: use wafer.rows 34 or model.vocab_size 168795.",
      {.vocab = 170000, .hidden = 8, .layers = 1, .heads = 1, .filter = 1, .seq = 2, .micro_batch = 1},
      {.rows = 33, .cols = 1, .lanes = 2, .sram_kib = 128}, &ModelShape::vocab, 168795);
}

TEST(Check, TheSmallestModelOnTheSmallestWaferHasAPlan) {
  ModelShape m;
  m.vocab = 2, m.hidden = m.layers = m.heads = m.filter = m.seq = m.micro_batch = 1;
  EXPECT_EQ(complaint(m, {.rows = 1, .cols = 1, .sram_kib = 1}), "");
}

TEST(Check, AColumnBesideSequencesOverSeveralIsNamed) {
  EXPECT_EQ(
      complaint({}, {.cols = 7, .sequence_columns = 3}),
      "wafer.sequence_columns: 3 leaves one of 7 columns (wafer.cols) over, and a ring needs two. HINT: use 1 or 7.");
  EXPECT_EQ(complaint({}, {.cols = 8, .sequence_columns = 3}), "");
  EXPECT_EQ(complaint({}, {.cols = 7, .sequence_columns = 1}), "");
}

TEST(Check, RowsThatCannotShareKeysAreNamed) {
  ModelShape m;
  m.attention = "shared";
  EXPECT_EQ(complaint(m, {}),
            "wafer.attention: rows cannot share the keys of 4 heads on 4 rows with wafer.sequence_columns 1. HINT: use "
            "stored.");
  m.heads = 2;
  EXPECT_EQ(complaint(m, {.sequence_columns = 4}), "");
}

}  // namespace
}  // namespace weft::compiler
