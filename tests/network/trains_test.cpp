/// Networks that are no known model: gradients follow the reference in doubles that is built from the same file.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/network/network_files.hpp"
#include "tests/network/parallel.hpp"

namespace weft::network {
namespace {

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
  EXPECT_TRUE(run_on_model(kept, parameters).got.grad == run_on_model(block, parameters).got.grad);
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
  const Trained a = run_on_model(kept, parameters), b = run_on_model(again, parameters);
  EXPECT_EQ(a.got.loss_sum, b.got.loss_sum);
  EXPECT_TRUE(a.got.grad == b.got.grad);
}

}  // namespace
}  // namespace weft::network
