/// Networks compared with the reference in doubles that is built from the same file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "kernel_sources.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/network/function.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/network/parallel.hpp"
#include "tests/network/third.hpp"
#include "tests/reference/gpt.hpp"
#include "tests/reference/network.hpp"

namespace weft::network {
namespace {

class Networks : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(third_) << kThird;
    // A gelu input that is not kept makes the backward pass recompute a linear.
    std::string text = kThird;
    text.replace(text.find("keep: [x, u]"), 12, "keep: [x]");
    std::ofstream(again_) << text;
  }
  void TearDown() override { std::filesystem::remove(third_), std::filesystem::remove(again_); }

  // A unique name, since tests run in parallel.
  const std::string own_ = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string third_ = own_ + ".yaml", again_ = own_ + "_again.yaml";
};

struct Trained {
  std::vector<TokenId> inputs, labels;
  compiler::MicroBatchRun got;
};

Trained run(const compiler::Plan& plan, const std::vector<float>& parameters) {
  const int sequences = plan.model.micro_batch;
  Trained r{compiler::random_tokens(plan, sequences, 2), compiler::random_tokens(plan, sequences, 3), {}};
  for (std::size_t t = 0; t < r.inputs.size() && plan.model.has_segments(); ++t)
    r.inputs[t] = with_segment(r.inputs[t], static_cast<int>(t % 5) % plan.model.segments);
  const auto wafer = make_model_wafer(plan.wafer);
  r.got = compiler::run_micro_batch(plan, *wafer, parameters, r.inputs, r.labels);
  EXPECT_EQ(wafer->flags(), "");
  return r;
}

void follows_the_reference(const compiler::Plan& plan) {
  const std::vector<float> parameters = compiler::random_parameters(plan, 1);
  const Trained r = run(plan, parameters);
  const reference::NetworkResult expected = reference::reference_network(plan.model, parameters, r.inputs, r.labels);
  EXPECT_NEAR(r.got.loss_sum / expected.loss_sum, 1, 0.01);
  for (const compiler::TensorInfo& t : plan.tensors) {
    double dot = 0, a = 0, b = 0;
    for (std::uint64_t k = t.offset; k < t.offset + t.size; ++k) {
      dot += r.got.grad[k] * expected.grad[k];
      a += r.got.grad[k] * r.got.grad[k], b += expected.grad[k] * expected.grad[k];
    }
    if (b < 1e-18) {  // a bias of keys adds one number to all scores of a query: softmax does not change
      EXPECT_LT(std::sqrt(a), 0.1) << t.name;
      continue;
    }
    EXPECT_GT(dot / std::sqrt(a * b), 0.99) << t.name;
    EXPECT_NEAR(std::sqrt(a / b), 1, 0.05) << t.name;
  }
}

TEST_F(Networks, TheThirdFollowsTheReference) {
  for (const auto& [rows, cols] : {std::pair{1, 1}, {3, 2}, {4, 4}}) {
    SCOPED_TRACE(rows);
    const machine::WaferShape wafer{.rows = rows, .cols = cols, .sram_kib = 128};
    compiler::ModelShape model{
        .vocab = 30, .hidden = 20, .layers = 2, .heads = 1, .filter = 36, .seq = 8, .tied = false};
    for (const std::string& network : {third_, again_}) {
      model.network = network;
      follows_the_reference(compiler::compile(model, wafer));
    }
  }
}

TEST_F(Networks, AProgramHasTheKernelsThatItsNetworkCalls) {
  compiler::ModelShape model{.vocab = 30, .hidden = 24, .layers = 1, .heads = 3, .filter = 40, .seq = 8, .tied = false};
  const auto has = [&](const char* kernel) { return compiler::compile(model, {}).program.kernel(kernel) != nullptr; };
  EXPECT_TRUE(has("layernorm") && has("probs") && has("gelu") && has("gemm"));
  EXPECT_FALSE(has("rotary"));
  model.network = third_;
  EXPECT_TRUE(has("gelu") && has("gemm") && has("gradient"));
  EXPECT_FALSE(has("layernorm") || has("probs") || has("dprobs") || has("attend"));
  model.network = "gptj", model.rotary_dim = 8;
  EXPECT_TRUE(has("rotary") && has("layernorm") && has("dprobs"));
}

/// The parallel block in GPT-2's layout, where matrices of two strides give one gradient; and with combined thirds as
/// [out, in].
TEST_F(Networks, LinearsOfAnyLayoutShareAnInput) {
  for (const char* qkv : {"[hidden, 3 head]", "[3 head, hidden]"}) {
    std::ofstream(third_) << parallel_network(qkv) << std::flush;
    compiler::ModelShape model{.vocab = 30, .hidden = 24, .layers = 2, .heads = 3, .filter = 40, .seq = 8};
    model.network = third_;
    follows_the_reference(compiler::compile(model, {.rows = 3, .cols = 2, .sram_kib = 128}));
  }
}

/// Two rounds of attention outside any block: rotated values are kept in place, and both rounds use the same names.
TEST_F(Networks, RotationOutsideABlockIsKeptInPlace) {
  for (const char* keep : {"[]", "[q, k, v, heads]", "[q]"}) {
    SCOPED_TRACE(keep);
    std::ofstream(third_) << R"(
network: turning
tensors:
  wte.weight: {shape: [vocab, hidden], normal: 0.1}
  ln.weight: {shape: [hidden], value: 1}
  ln.bias: {shape: [hidden], value: 0}
  qkv.weight: {shape: [hidden, 3 head], normal: 0.1}
  proj.weight: {shape: [head, hidden], normal: 0.1}
  head.weight: {shape: [hidden, vocab], normal: 0.1}
operations:
  - {embed: start, tokens: wte.weight, out: x}
  - {norm: ln, in: x, out: a}
  - {linear: qkv, in: a, out: [q, k, v]}
  - {rotary: turn, in: [q, k], out: [q, k]}
  - {attention: attn, in: [q, k, v], out: heads}
  - {linear: proj, in: heads, add: x, out: x}
  - {linear: head, in: x, out: logits}
  - {loss: loss, in: logits}
keep: )" << keep << '\n' << std::flush;
    compiler::ModelShape model{
        .vocab = 30, .hidden = 24, .layers = 1, .heads = 3, .filter = 40, .seq = 8, .tied = false};
    model.network = third_, model.rotary_dim = 8;
    follows_the_reference(compiler::compile(model, {.rows = 3, .cols = 2, .sram_kib = 128}));
  }
}

/// An output head with a bias, whose weight is the embedding's under any name; three outputs with dots in their names.
TEST_F(Networks, BiasesAreCalledAsTheyAre) {
  std::string text = kThird;
  for (std::size_t at; (at = text.find("wte.weight")) != std::string::npos;) text.replace(at, 10, "words");
  const std::string head = "head.weight: {shape: [hidden, vocab]";
  text.replace(text.find(head), head.size(), "head.weight: {tied: words, shape: [vocab, hidden]");
  std::ofstream(third_) << text << std::flush;
  std::string qkv = parallel_network("[hidden, 3 head]");
  for (const char* list : {"out: [q, k, v]", "in: [q, k, v]"})
    qkv.replace(qkv.find(list), std::string(list).size(),
                std::string(list, std::string(list).find('[')) + "[a.q, a.k, a.v]");
  qkv.replace(qkv.find("keep: [q, k, v,"), 15, "keep: [a.q, a.k, a.v,");
  std::ofstream(again_) << qkv << std::flush;
  for (const bool one_base : {true, false}) {
    const machine::WaferShape wafer{.rows = one_base ? 3 : 600, .cols = 2, .sram_kib = 128};
    compiler::ModelShape model{
        .vocab = 30, .hidden = 24, .layers = 2, .heads = 3, .filter = 36, .seq = 8, .tied = true};
    std::set<std::string> names;
    for (const std::string& network : {third_, again_}) {
      model.network = network;
      const compiler::Plan plan = compiler::compile(model, wafer);
      for (const compiler::Op& op : plan.ops) names.insert(op.name);
      if (one_base) follows_the_reference(plan);
    }
    EXPECT_FALSE(names.contains("h.0.qkv.a.dw"));
    EXPECT_TRUE(names.contains("head.dw") && names.contains("words.dw"));
  }
}

/// One matrix is shared by all layers and by both of their linears.
TEST_F(Networks, TensorsOfLayersMayBeOne) {
  std::string text = kThird;
  const std::string up = "up.weight: {shape: [hidden, filter], normal: 0.1";
  text.replace(text.find("  block:"), 8, "  shared.weight: {shape: [hidden, filter], normal: 0.1}\n  block:");
  text.insert(text.find(up) + up.size(), ", tied: shared.weight");
  text.replace(text.find("    down.weight: {shape: [hidden, filter], normal: 0.1, residual: true}"), 71,
               "    down.weight: {shape: [hidden, filter], normal: 0.1, tied: shared.weight}");
  std::ofstream(third_) << text << std::flush;
  compiler::ModelShape model{.vocab = 30, .hidden = 20, .layers = 3, .heads = 1, .filter = 36, .seq = 8, .tied = true};
  model.network = third_;
  for (const char* recompute : {"none", "block"}) {
    model.recompute = recompute;
    const compiler::Plan plan = compiler::compile(model, {.rows = 3, .cols = 2, .sram_kib = 128});
    EXPECT_EQ(plan.tensors.size(), 3 + 3 + 2u);
    follows_the_reference(plan);
  }
}

/// Recomputation of blocks does not affect values outside blocks.
TEST_F(Networks, ValueOutsideABlockIsKept) {
  std::string text = kThird;
  const auto put = [&](const std::string& before, const std::string& line) { text.insert(text.find(before), line); };
  put("  head.weight",
      "  pre.weight: {shape: [hidden, filter], normal: 0.1}\n  post.weight: {shape: [filter, hidden], "
      "normal: 0.1}\n");
  put("  - block:", "  - {linear: pre, in: x, out: w}\n  - {linear: post, in: w, add: x, out: x}\n");
  std::ofstream(third_) << text << std::flush;
  compiler::ModelShape model{.vocab = 30, .hidden = 20, .layers = 2, .heads = 1, .filter = 36, .seq = 8, .tied = false};
  model.network = third_;
  const machine::WaferShape wafer{.rows = 3, .cols = 2, .sram_kib = 128};
  const compiler::Plan kept = compiler::compile(model, wafer);
  model.recompute = "block";
  const compiler::Plan block = compiler::compile(model, wafer);
  follows_the_reference(block);
  const std::vector<float> parameters = compiler::random_parameters(kept, 1);
  EXPECT_TRUE(run(kept, parameters).got.grad == run(block, parameters).got.grad);
}

/// An operation that occurs twice has one set of tensors, and each of its phases has a distinct name.
TEST_F(Networks, PhasesOfOneNameAreDistinguished) {
  std::string text = kThird;
  const std::string down = "      - {linear: down, in: g, add: x, out: x}\n";
  text.insert(text.find(down) + down.size(),
              "      - {linear: up, in: x, out: w}\n      - {gelu: act, in: w, out: z}\n"
              "      - {linear: down, in: z, add: x, out: y}\n      - {linear: up, in: y, out: u2}\n"
              "      - {gelu: act, in: u2, out: z2}\n      - {linear: down, in: z2, add: y, out: x}\n");
  text.replace(text.find("keep: [x, u]"), 12, "keep: [x, y, u]");
  std::ofstream(third_) << text << std::flush;
  compiler::ModelShape model{.vocab = 30, .hidden = 20, .layers = 2, .heads = 1, .filter = 36, .seq = 8, .tied = false};
  model.network = third_;
  const compiler::Plan plan = compiler::compile(model, {.rows = 3, .cols = 2, .sram_kib = 128});
  std::set<std::string> names;
  for (const compiler::Op& op : plan.ops) EXPECT_TRUE(names.insert(op.name).second) << op.name;
  EXPECT_TRUE(names.contains("h.0.up") && names.contains("h.0.up.2") && names.contains("h.0.up.3"));
  follows_the_reference(plan);
}

/// A value has the same bits whether it is kept or recomputed.
TEST_F(Networks, RecomputedValueHasTheSameBits) {
  const machine::WaferShape wafer{.rows = 3, .cols = 2};
  compiler::ModelShape model{.vocab = 30, .hidden = 20, .layers = 2, .heads = 1, .filter = 36, .seq = 8, .tied = false};
  model.network = third_;
  const compiler::Plan kept = compiler::compile(model, wafer);
  model.network = again_;
  const compiler::Plan again = compiler::compile(model, wafer);
  EXPECT_GT(again.ops.size(), kept.ops.size());
  const std::vector<float> parameters = compiler::random_parameters(kept, 1);
  const Trained a = run(kept, parameters), b = run(again, parameters);
  EXPECT_EQ(a.got.loss_sum, b.got.loss_sum);
  EXPECT_TRUE(a.got.grad == b.got.grad);
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

TEST_F(Networks, LlamaFollowsTheReference) {
  const compiler::ModelShape model{
      .vocab = 30, .hidden = 24, .layers = 2, .heads = 3, .filter = 40, .seq = 8, .micro_batch = 3};
  for (const auto& [rows, cols, columns] : {std::tuple{1, 1, 1}, {3, 2, 1}, {12, 1, 1}, {4, 4, 2}}) {
    for (const bool tied : {true, false}) {
      for (const char* recompute : {"none", "block"}) {
        SCOPED_TRACE(testing::Message() << rows << " rows, " << columns << " columns, " << recompute);
        compiler::ModelShape m = model;
        m.network = "llama", m.rotary_dim = 8, m.tied = tied, m.recompute = recompute;
        follows_the_reference(
            compiler::compile(m, {.rows = rows, .cols = cols, .sram_kib = 128, .sequence_columns = columns}));
      }
    }
  }
}

/// Rotary features as halves of a head, all or some of them, with scaled frequencies; heads on a row, or over rows.
TEST_F(Networks, HalvesThatRotateFollowTheReference) {
  compiler::ModelShape model{.vocab = 30, .hidden = 24, .layers = 1, .heads = 2, .filter = 40, .seq = 20};
  model.network = "llama", model.rotary.layout = "halves", model.micro_batch = 2;
  model.rotary.theta = 500, model.rotary.factor = 4, model.rotary.original_length = 60;
  for (const auto& [rows, cols, columns] : {std::tuple{1, 1, 1}, {4, 2, 1}, {7, 4, 2}}) {
    for (const auto& [rotated, scaling] : {std::pair{12, "none"}, {12, "linear"}, {12, "llama3"}, {6, "llama3"}}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, " << rotated << " features, " << scaling);
      compiler::ModelShape m = model;
      m.rotary_dim = rotated, m.rotary.scaling = scaling;
      follows_the_reference(
          compiler::compile(m, {.rows = rows, .cols = cols, .sram_kib = 128, .sequence_columns = columns}));
    }
  }
}

/// GPT-2 whose tokens also see later ones: a head on a row, several, or spread over rows; sequences that leave padding
/// in a column, and sequences over several columns.
TEST_F(Networks, AttentionThatIsNotCausalFollowsTheReference) {
  std::string text = network_text("gpt2");
  const std::string causal = "{attention: attn, in: [q, k, v], out: heads}";
  text.replace(text.find(causal), causal.size(), "{attention: attn, in: [q, k, v], out: heads, causal: false}");
  std::ofstream(third_) << text << std::flush;
  compiler::ModelShape model{
      .vocab = 12, .hidden = 24, .layers = 2, .heads = 3, .filter = 40, .seq = 16, .micro_batch = 3};
  model.network = third_;
  for (const auto& [rows, cols, columns, lanes] :
       {std::tuple{1, 1, 1, 4}, {2, 2, 1, 4}, {3, 2, 1, 8}, {12, 1, 1, 4}, {4, 4, 2, 4}, {2, 3, 3, 2}}) {
    for (const auto& [seq, recompute, padding] : {std::tuple{16, "none", -1}, {13, "block", -1}, {13, "none", 5}}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, " << columns << " columns, " << seq << ", " << recompute);
      model.seq = seq, model.recompute = recompute, model.padding_token = padding;
      model.document_end = padding >= 0 ? 7 : -1;
      follows_the_reference(compiler::compile(
          model, {.rows = rows, .cols = cols, .lanes = lanes, .sram_kib = 128, .sequence_columns = columns}));
    }
  }
}

/// Tokens of both kinds of segments; about every tenth token is padding where a sequence ends with it.
TEST_F(Networks, BertFollowsTheReference) {
  const compiler::ModelShape model{
      .vocab = 12, .hidden = 24, .layers = 2, .heads = 3, .filter = 40, .seq = 13, .micro_batch = 3};
  for (const auto& [rows, cols, columns] : {std::tuple{1, 1, 1}, {3, 2, 1}, {12, 1, 1}, {4, 4, 2}}) {
    for (const bool tied : {true, false}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, " << columns << " columns, " << tied);
      compiler::ModelShape m = model;
      m.network = "bert", m.segments = 2, m.padding_token = 0, m.tied = tied;
      const machine::WaferShape wafer{.rows = rows, .cols = cols, .sram_kib = 128, .sequence_columns = columns};
      const compiler::Plan kept = compiler::compile(m, wafer);
      follows_the_reference(kept);
      m.recompute = "block";
      const compiler::Plan block = compiler::compile(m, wafer);
      const std::vector<float> parameters = compiler::random_parameters(kept, 1);
      EXPECT_TRUE(run(kept, parameters).got.grad == run(block, parameters).got.grad);
    }
  }
}

/// Some or all heads of queries share keys and values; heads on a row, or over rows; both forms of attention.
TEST_F(Networks, GroupedHeadsFollowTheReference) {
  compiler::ModelShape model{.vocab = 30, .hidden = 32, .layers = 2, .heads = 4, .filter = 40, .seq = 10};
  model.network = "llama", model.rotary.layout = "halves", model.rotary_dim = 8, model.micro_batch = 3;
  for (const int kv_heads : {2, 1}) {
    for (const auto& [rows, cols, columns, attention] :
         {std::tuple{1, 1, 1, "stored"}, {3, 2, 1, "stored"}, {9, 4, 2, "stored"}, {9, 4, 2, "shared"}}) {
      SCOPED_TRACE(testing::Message() << kv_heads << " heads of keys, " << rows << " rows, " << attention);
      compiler::ModelShape m = model;
      m.kv_heads = kv_heads, m.attention = attention, m.recompute = rows == 3 ? "block" : "none";
      follows_the_reference(
          compiler::compile(m, {.rows = rows, .cols = cols, .sram_kib = 128, .sequence_columns = columns}));
    }
  }
}

/// Keys and values of a group as [in, out], as GPT-2's matrices, and with biases.
TEST_F(Networks, GroupedHeadsOfAnyLayoutFollowTheReference) {
  for (const char* shape : {"[hidden, kv_head]", "[kv_head, hidden]"}) {
    SCOPED_TRACE(shape);
    std::string text = network_text("llama");
    for (const char* one : {"k", "v"}) {
      const std::string name = fmt::format("    self_attn.{}_proj", one), own = ".weight: {shape: [kv_head, hidden]";
      text.replace(text.find(name + own), (name + own).size(),
                   fmt::format("{0}.bias: {{shape: [kv_head], normal: 0.1}}\n{0}.weight: {{shape: {1}", name, shape));
    }
    std::ofstream(third_) << text << std::flush;
    compiler::ModelShape model{.vocab = 30, .hidden = 32, .layers = 1, .heads = 4, .filter = 40, .seq = 8};
    model.network = third_, model.rotary_dim = 8, model.kv_heads = 2;
    for (const int rows : {1, 3, 6})
      follows_the_reference(compiler::compile(model, {.rows = rows, .cols = 2, .sram_kib = 128}));
  }
}

/// A model whose heads of keys and values are copies of those of a grouped model has the same bits; the grouped
/// model's gradients are the sums of its copies' gradients.
TEST_F(Networks, GroupedHeadsHaveTheBitsOfEqualHeads) {
  compiler::ModelShape grouped{.vocab = 30, .hidden = 32, .layers = 2, .heads = 4, .filter = 40, .seq = 8};
  grouped.network = "llama", grouped.rotary.layout = "halves", grouped.rotary_dim = 8, grouped.kv_heads = 2;
  compiler::ModelShape whole = grouped;
  whole.kv_heads = 0;
  const machine::WaferShape wafer{.rows = 3, .cols = 2, .sram_kib = 128};
  const compiler::Plan few = compiler::compile(grouped, wafer), all = compiler::compile(whole, wafer);
  const std::vector<float> parameters = compiler::random_parameters(few, 1);
  std::vector<float> copied(all.parameters);
  const auto each = [&](const auto& f) {  // f(parameter of the whole model, of the grouped model)
    for (std::size_t n = 0; n < all.tensors.size(); ++n) {
      const compiler::TensorInfo &to = all.tensors[n], &from = few.tensors[n];
      ASSERT_EQ(to.name, from.name);
      const std::uint64_t head = to.size / 4;
      for (std::uint64_t k = 0; k < to.size; ++k)
        f(to.offset + k, from.offset + (to.size == from.size ? k : k / head / 2 * head + k % head));
    }
  };
  each([&](std::uint64_t to, std::uint64_t from) { copied[to] = parameters[from]; });
  const compiler::MicroBatchRun a = run(few, parameters).got, b = run(all, copied).got;
  EXPECT_EQ(a.loss_sum, b.loss_sum);
  std::vector<double> sums(few.parameters);
  each([&](std::uint64_t to, std::uint64_t from) { sums[from] += b.grad[to]; });
  for (std::size_t k = 0; k < sums.size(); ++k) EXPECT_NEAR(a.grad[k], sums[k], 1e-6 + 1e-6 * std::abs(sums[k])) << k;
}

/// Each function in the place of GPT-2's, and of hidden features.
TEST_F(Networks, FunctionsFollowTheReference) {
  for (const auto& function : built_in_functions()) {
    if (function->inputs() != 1) continue;
    SCOPED_TRACE(function->name);
    const std::string by = function->has_constant() ? ", by: 0.7" : "";
    std::string text = kThird;
    const std::string act = "{gelu: act, in: u, out: g}";
    text.replace(text.find(act), act.size(), "{" + function->name + ": act, in: u, out: g" + by + "}");
    if (function->any_features()) {
      const std::string down = "{linear: down, in: g, add: x, out: x}";
      text.insert(text.find("  head.weight"), "    mid.weight: {shape: [hidden, hidden], normal: 0.1}\n");
      text.replace(text.find("down.weight: {shape: [hidden, filter]"), 37, "down.weight: {shape: [filter, hidden]");
      text.replace(text.find(down), down.size(),
                   "{linear: down, in: g, out: m}\n      - {" + function->name + ": middle, in: m, out: n" + by +
                       "}\n      - {linear: mid, in: n, add: x, out: x}");
    }
    std::ofstream(third_) << text << std::flush;
    compiler::ModelShape model{
        .vocab = 30, .hidden = 20, .layers = 2, .heads = 1, .filter = 20, .seq = 8, .tied = false};
    model.network = third_;
    for (const auto& [rows, cols] : {std::pair{1, 1}, {3, 2}, {27, 1}})
      follows_the_reference(compiler::compile(model, {.rows = rows, .cols = cols, .sram_kib = 128}));
  }
}

/// The kernels of SiLU in a network's own file, under another name.
TEST_F(Networks, FunctionOfTheFileHasTheBitsOfABuiltInOne) {
  std::string text = kThird, kernels;
  const std::string act = "{gelu: act,";
  text.replace(text.find(act), act.size(), "{silu: act,");
  std::ofstream(third_) << text;
  for (const assembler::Source& source : kernels::kKernelSources)
    if (source.name.ends_with("/silu.s")) kernels = source.text;
  for (std::size_t at = 0; (at = kernels.find("silu", at)) != std::string::npos; at += 4)
    kernels.replace(at, 4, "mine");
  for (std::size_t at = 0; (at = kernels.find('\n', at)) != std::string::npos; at += 3) kernels.replace(at, 1, "\n  ");
  text.replace(text.find("{silu"), 5, "{mine");
  text.insert(text.find("operations:"), "kernels: |\n  " + kernels + "\n");
  std::ofstream(again_) << text;
  compiler::ModelShape model{.vocab = 30, .hidden = 20, .layers = 2, .heads = 1, .filter = 36, .seq = 8, .tied = false};
  model.network = third_;
  const compiler::Plan built_in = compiler::compile(model, {.rows = 3, .cols = 2});
  model.network = again_;
  const compiler::Plan own = compiler::compile(model, {.rows = 3, .cols = 2});
  ASSERT_NE(own.program.kernel("mine_back"), nullptr);
  EXPECT_EQ(own.program.kernel("silu"), nullptr);
  const int line = own.program.kernel("mine_back")->line;
  EXPECT_EQ(std::ranges::count(text.substr(0, text.find(".kernel mine_back")), '\n') + 1, line);
  const std::vector<float> parameters = compiler::random_parameters(built_in, 1);
  EXPECT_TRUE(run(built_in, parameters).got.grad == run(own, parameters).got.grad);
}

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

}  // namespace
}  // namespace weft::network
