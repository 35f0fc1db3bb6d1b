/// A whole training step of the shipped configurations, op by op, on the functional model and the RTL: every word at
/// the wafer's edge and every PE's memory, bit for bit. A mismatch names the op. Also smaller configurations with other
/// numbers of lanes.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "host/config/config.hpp"
#include "host/config/file/load.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/network/network.hpp"
#include "tests/compiler/least_memory.hpp"
#include "tests/cosim/op_by_op.hpp"
#include "tests/cosim/tiny.hpp"
#include "weft_lanes.hpp"

namespace weft::cosim {
namespace {

void cosim(const compiler::ModelShape& model, const machine::WaferShape& shape, unsigned seed) {
  agrees_op_by_op(compiler::compile(model, shape), seed);
}

void cosim(const std::string& name, unsigned seed, int lanes = 4) {
  config::Config config = config::load_config(std::string(WEFT_CONFIGS) + "/" + name, {});
  config.wafer.lanes = lanes;
  cosim(config.model, config.wafer, seed);
}

TEST(TrainingStep, GptTinyAgreesOpByOp) { cosim("gpt_tiny.yaml", 1); }
TEST(TrainingStep, GptOblongAgreesOpByOp) { cosim("gpt_oblong.yaml", 2); }
TEST(TrainingStep, WithEightLanesAgreesOpByOp) {
  cosim(tiny_model(), {.rows = 3, .cols = 2, .lanes = 8, .valves = 2}, 3);
}

TEST(TrainingStep, GptJTinyAgreesOpByOp) { cosim("gptj_tiny.yaml", 5); }
TEST(TrainingStep, WithBlocksComputedAgainAgreesOpByOp) {
  compiler::ModelShape model = tiny_model();
  model.recompute = "block";
  cosim(model, {.rows = 3, .cols = 2}, 6);
  // Two heads on two rows each; only some features are rotary.
  model.network = "gptj", model.rotary_dim = 2;
  cosim(model, {.rows = 4, .cols = 2, .valves = 2}, 7);
}

TEST(TrainingStep, LlamaAgreesOpByOp) {
  compiler::ModelShape model = tiny_model();
  model.network = "llama", model.rotary_dim = 4;
  cosim(model, {.rows = 3, .cols = 2}, 18);
  model.recompute = "block", model.document_end = 1;
  cosim(model, {.rows = 4, .cols = 4, .valves = 2, .sequence_columns = 2}, 19);
}

/// Two heads of queries share keys and values, in both forms of attention and over columns; halves of a head rotate.
TEST(TrainingStep, GroupedHeadsAgreeOpByOp) {
  compiler::ModelShape model = tiny_model();
  model.network = "llama", model.rotary.layout = "halves", model.hidden = 16, model.heads = 4, model.kv_heads = 2;
  model.rotary_dim = model.head_size();
  cosim(model, {.rows = 3, .cols = 2}, 21);
  model.attention = "shared", model.recompute = "block", model.kv_heads = 1;
  cosim(model, {.rows = 8, .cols = 4, .valves = 2, .sequence_columns = 2}, 22);
}

TEST(TrainingStep, WithDropoutAgreesOpByOp) {
  compiler::ModelShape model = tiny_model();
  model.residual_dropout = 0.3, model.embedding_dropout = 0.1, model.dropout_seed = 3;
  cosim(model, {.rows = 4, .cols = 4, .valves = 2, .sequence_columns = 2}, 23);
  model.recompute = "block", model.network = "bert", model.segments = 2;
  cosim(model, {.rows = 3, .cols = 2, .lanes = 8}, 24);
}

/// Causal, and not causal over several columns.
TEST(TrainingStep, WithDropoutOfAttentionWeightsAgreesOpByOp) {
  compiler::ModelShape model = tiny_model();
  model.attention_dropout = 0.3, model.dropout_seed = 3;
  cosim(model, {.rows = 3, .cols = 2}, 25);
  model.network = "bert", model.segments = 2;
  cosim(model, {.rows = 4, .cols = 4, .valves = 2, .sequence_columns = 2}, 26);
}

/// GPT-2 with another function in its MLP.
TEST(TrainingStep, ElementwiseFunctionsAgreeOpByOp) {
  const std::string path = testing::TempDir() + "elementwise_functions.yaml",
                    gelu = "{gelu: mlp.gelu, in: u, out: gelu";
  for (const char* function : {"gelu_erf", "relu", "tanh", "scale"}) {
    SCOPED_TRACE(function);
    std::string text = network::network_text("gpt2");
    text.replace(text.find(gelu), gelu.size(),
                 std::string("{") + function + ": mlp.gelu, in: u, out: gelu" +
                     (function == std::string("scale") ? ", by: 0.7" : ""));
    std::ofstream(path) << text << std::flush;
    compiler::ModelShape model = tiny_model();
    model.network = path;
    cosim(model, {.rows = 3, .cols = 2}, 20);
  }
  std::filesystem::remove(path);
}

TEST(TrainingStep, SequencesOverColumnsAgreeOpByOp) {
  compiler::ModelShape model = tiny_model();
  cosim(model, {.rows = 3, .cols = 4, .sequence_columns = 2}, 8);
  model.seq = 2 * model.seq + 1;
  cosim(model, {.rows = 4, .cols = 5, .lanes = 8, .valves = 2, .sequence_columns = 5}, 9);
  model.network = "gptj", model.rotary_dim = 2, model.recompute = "block";
  cosim(model, {.rows = 4, .cols = 4, .sequence_columns = 4}, 10);
}

/// Two rows with keys of their own; rows with parts of the queries, and rows without; pairs of features in a row.
TEST(TrainingStep, RowsThatShareKeysAgreeOpByOp) {
  compiler::ModelShape model = tiny_model();
  model.attention = "shared";
  cosim(model, {.rows = 4, .cols = 4, .sequence_columns = 2}, 15);
  model.hidden = 24, model.heads = 1, model.seq = 35, model.micro_batch = 1;
  cosim(model, {.rows = 20, .cols = 5, .sram_kib = 64, .valves = 20, .sequence_columns = 5}, 16);
  model.network = "gptj", model.rotary_dim = 2, model.recompute = "block";
  cosim(model, {.rows = 7, .cols = 3, .sequence_columns = 3}, 17);
}

/// One array of all features for q, k, v and dout; four keys of a row visit in sets of two. Two columns without a
/// sequence.
TEST(TrainingStep, SetsOfKeysBesideFreeColumnsAgreeOpByOp) {
  compiler::ModelShape model = tiny_model();
  model.attention = "shared";
  model.hidden = 128, model.heads = 1, model.layers = 1, model.seq = 23, model.micro_batch = 1;
  const machine::WaferShape wafer =
      compiler::with_least_memory(model, {.rows = 4, .cols = 5, .valves = 4, .psum_cycles = 2, .sequence_columns = 3});
  EXPECT_TRUE(compiler::MemoryPlan(model, wafer, compiler::Spaces(model, wafer.rows)).one_shared_array());
  cosim(model, wafer, 18);
}

/// About every fourth token ends a document.
TEST(TrainingStep, DocumentsOverColumnsAgreeOpByOp) {
  compiler::ModelShape model = tiny_model();
  model.vocab = 4, model.seq = 21, model.document_end = 1;
  cosim(model, {.rows = 3, .cols = 4, .sequence_columns = 2}, 13);
  cosim(model, {.rows = 5, .cols = 3, .valves = 2, .sequence_columns = 3}, 14);
}

/// About every fourth token ends a document, or is padding where a sequence ends with it.
TEST(TrainingStep, AttentionThatIsNotCausalAgreesOpByOp) {
  const std::string path = testing::TempDir() + "not_causal.yaml";
  std::string text = network::network_text("gpt2");
  const std::string heads = "out: heads}";
  text.replace(text.find(heads), heads.size(), "out: heads, causal: false}");
  std::ofstream(path) << text << std::flush;
  compiler::ModelShape model = tiny_model();
  model.network = path, model.vocab = 4, model.seq = 21, model.document_end = 1, model.padding_token = 2;
  cosim(model, {.rows = 3, .cols = 2}, 21);
  cosim(model, {.rows = 5, .cols = 3, .valves = 2, .sequence_columns = 3}, 22);
  std::filesystem::remove(path);
}

/// Two kinds of segments; sums that are normalized, kept or computed again.
TEST(TrainingStep, BertAgreesOpByOp) {
  compiler::ModelShape model = tiny_model();
  model.network = "bert", model.segments = 2, model.vocab = 8, model.padding_token = 2;
  cosim(model, {.rows = 3, .cols = 2}, 23);
  model.recompute = "block";
  cosim(model, {.rows = 4, .cols = 4, .valves = 2, .psum_cycles = 2, .sequence_columns = 2}, 24);
}

/// Two losses on two branches; a loss of numbers in their place.
TEST(TrainingStep, OtherLossesAgreeOpByOp) {
  compiler::ModelShape model = tiny_model();
  model.network = "bert_pretraining", model.segments = 2, model.vocab = 8, model.classes = 2;
  cosim(model, {.rows = 3, .cols = 2}, 25);
  const std::string path = testing::TempDir() + "numbers.yaml";
  std::string text = network::network_text("bert_pretraining");
  const std::size_t second = text.find("  - {linear: cls.predictions.transform.dense"), end = text.find("\n#", second);
  text.erase(second, end - second);
  const std::string heads = "{class_loss: next_sentence", tensors = "  cls.predictions.";
  text.replace(text.find(heads), heads.size(), "{squared_error: number");
  for (std::size_t at; (at = text.find(tensors)) != std::string::npos;) text.erase(at, text.find('\n', at) + 1 - at);
  text.replace(text.find(", transform"), 11, "");
  std::ofstream(path) << text << std::flush;
  model.network = path, model.classes = 1;
  cosim(model, {.rows = 4, .cols = 4, .valves = 2, .psum_cycles = 2, .sequence_columns = 2}, 26);
  std::filesystem::remove(path);
}

/// A base reaches 128 slots: GEMMs in parts, biases in separate ops; more rows than 8 bits can count.
TEST(TrainingStepLong, OnManyRowsAgreesOpByOp) {
  compiler::ModelShape model{
      .vocab = 30, .hidden = 16, .layers = 20, .heads = 2, .filter = 40, .seq = 4, .micro_batch = 1};
  cosim(model, {.rows = 257, .cols = 1, .valves = 64}, 11);
  model.network = "gptj", model.rotary_dim = 4, model.recompute = "block", model.layers = 30;
  cosim(model, {.rows = 257, .cols = 1, .valves = 64, .psum_cycles = 4}, 12);
}

TEST(TrainingStepLong, GptTinyAgreesOpByOpWithAnyLanes) {
  for (const int lanes : {2, 8, 16}) {
    SCOPED_TRACE(lanes);
    if (rtl_has(lanes)) cosim("gpt_tiny.yaml", 4, lanes);
  }
}

}  // namespace
}  // namespace weft::cosim
