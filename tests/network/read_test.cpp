/// A network's file: its meaning, and errors.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "sw/base/refusal.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "sw/network/schedule.hpp"
#include "tests/network/third.hpp"

namespace weft::network {
namespace {

std::string refusal(const std::string& text) {
  try {
    training_schedule(read_network(text, "mine.yaml", {.layers = 2, .tied = true}));
  } catch (const Refusal& r) {
    return r.what();
  }
  return "";
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kThird;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(NetworkFile, HasTensorsAndOperationsOfAllLayers) {
  const LayerGraph n = read_network(kThird, "mine.yaml", {.layers = 2});
  std::vector<std::string> names;
  for (const NetworkTensor& t : n.tensors) names.push_back(t.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"wte.weight", "wpe.weight", "h.0.up.weight", "h.0.up.bias", "h.0.down.weight",
                                      "h.1.up.weight", "h.1.up.bias", "h.1.down.weight", "head.weight", "head.bias"}));
  EXPECT_EQ(n.operations.size(), 1 + 2 * 3 + 2u);
  EXPECT_FALSE(n.operations[1].out_by_in);
  EXPECT_TRUE(n.operations[3].out_by_in);                        // down: [hidden, filter], its input is of filter
  EXPECT_NEAR(n.tensors[4].normal, 0.1 / std::sqrt(2.0), 1e-6);  // two additions
}

TEST(NetworkFile, Gpt2HasHuggingFaceTensors) {
  compiler::ModelShape model;
  model.layers = 1;
  const auto tied = compiler::model_tensors(model);
  EXPECT_EQ(tied.size(), 16u);
  EXPECT_EQ(tied.front().name, "wte.weight");
  EXPECT_EQ(tied[4].name, "h.0.attn.c_attn.weight");
  EXPECT_EQ(tied[4].dims, (std::vector<int>{model.hidden, 3 * model.hidden}));
  EXPECT_EQ(tied.back().name, "ln_f.bias");
  model.tied = false;
  EXPECT_EQ(compiler::model_tensors(model).back().name, "lm_head.weight");
}

TEST(NetworkFile, IsRefusedWithItsLine) {
  EXPECT_EQ(refusal(kThird), "");
  struct Wrong {
    const char *from, *to, *line;
  };
  const Wrong wrong[] = {
      {"network: third", "network: [", "mine.yaml:4: model.network: not YAML: "},
      {"keep: [x, u]", "keeps: [x, u]",
       "mine.yaml:20: model.network: keeps is not a key. HINT: use network, tensors, kernels, operations, "
       "keep."},
      {"[vocab, hidden], normal", "[vocab, wide], normal",
       "mine.yaml:4: model.network: wide is not a size. HINT: use hidden, filter, vocab, head, position, segment, "
       "kv_head, class, or a number of one of them, as 3 head."},
      {"normal: 0.1}", "normal: much}", "mine.yaml:4: model.network: a number is missing. HINT: write one, as 0.02."},
      {"{gelu: act, in: u, out: g}", "{swish: act, in: u, out: g}", "mine.yaml:16: model.network: swish is not a key."},
      {"in: u, out: g", "in: w, out: g",
       "mine.yaml:16: model.network: act: no operation above makes w. HINT: name what an operation above has as out:."},
      {"{gelu: act, in: u, out: g}", "{gelu: act, in: x, out: g}",
       "mine.yaml:16: model.network: act: its input does not have filter features. HINT: give it filter features."},
      {"{gelu: act, in: u, out: g}", "{scale: act, in: u, out: g}",
       "mine.yaml:16: model.network: by is missing. HINT: add by:."},
      {"{gelu: act, in: u, out: g}", "{relu: act, in: u, by: 2, out: g}",
       "mine.yaml:16: model.network: by is not a key of relu. HINT: use relu, in, out, add."},
      {"{linear: up, in: x", "{linear: up, form: square, in: x",
       "mine.yaml:15: model.network: up: there is no weight of the form square. HINT: use in_out or out_in."},
      {"{gelu: act, in: u, out: g}", "{gelu: act, in: u, out: g, causal: false}",
       "mine.yaml:16: model.network: causal is not a key of gelu. HINT: use gelu, in, out, add."},
      {"{gelu: act, in: u, out: g}", "{attention: act, in: [u, u, u], out: g, causal: maybe}",
       "mine.yaml:16: model.network: true or false is missing. HINT: write one of them."},
      {"{gelu: act, in: u, out: g}", "{product: act, in: u, out: g}",
       "mine.yaml:16: model.network: act: has 1 inputs. HINT: give it 2."},
      {"{gelu: act, in: u, out: g}", "{product: act, in: [u, x], out: g}",
       "mine.yaml:16: model.network: act: its inputs have different features."},
      {"{gelu: act, in: u, out: g}", "{product: act, in: [u, u], out: g}",
       "mine.yaml:16: model.network: h.1.act: u also has other uses."},
      {"{gelu: act, in: u, out: g}", "{dropout: act, in: u, out: g, p: 0.1}",
       "mine.yaml:16: model.network: act: drops features of its input in place. HINT: give out: the name of in:"},
      {"{gelu: act, in: u, out: g}", "{dropout: act, in: u, out: u, p: 1}",
       "mine.yaml:16: model.network: 1 is not in 0..0.99. HINT: write the part to drop, as 0.1."},
      {"{gelu: act, in: u, out: g}", "{dropout: act, in: u, out: u}",
       "mine.yaml:16: model.network: p is missing. HINT: add p:."},
      {"{gelu: act, in: u, out: g}", "{dropout: act, in: u, add: x, out: g, p: 0.1}",
       "mine.yaml:16: model.network: act: the added array has other features, or is its input."},
      {"  - {loss: loss", "  - {dropout: act, in: logits, out: logits, p: 0.1}\n  - {loss: loss",
       "mine.yaml:19: model.network: act: its input has neither hidden nor filter features."},
      {"{gelu: act, in: u, out: g}", "{gelu: act, in: u, add: x, out: g}",
       "mine.yaml:16: model.network: act: only a linear or a dropout adds. HINT: remove add:."},
      {"in: x, out: u}\n", "in: x, out: u}\n      - {dropout: drop, in: x, out: x, p: 0.1}\n",
       "mine.yaml:16: model.network: h.1.drop: x also has other uses. HINT: let only the dropout read it."},
      {"{linear: up,", "{linear: upper,",
       "mine.yaml:15: model.network: upper: there is no tensor h.0.upper.weight. HINT: add it to tensors:."},
      {"up.weight: {shape: [hidden, filter]", "up.weight: {shape: [filter, vocab]",
       "mine.yaml:15: model.network: up: no side of its weight has its input's features. HINT: correct shape:."},
      {"in: g, add: x", "in: g, add: u", "mine.yaml:17: model.network: down: the added array has other features."},
      {"keep: [x, u]", "keep: [u]",
       "mine.yaml:15: model.network: h.1.up: backward reads x after its place has another value. HINT: name x in "
       "keep:, and the "
       "result differently."},
      {"wte.weight: {shape: [vocab, hidden]", "wte.weight: {shape: [vocab, filter]",
       "mine.yaml:13: model.network: start: wte.weight is [vocab, filter], not [vocab, hidden]. HINT: correct shape:."},
      {"up.bias: {shape: [filter]", "up.bias: {shape: [hidden]",
       "mine.yaml:15: model.network: up: h.0.up.bias is [hidden], not [filter]."},
      {"in: u, out: g", "in: u, out: u", "mine.yaml:16: model.network: act: makes u in the place of its input."},
      {"in: x, out: u", "in: x, out: dx", "mine.yaml:15: model.network: up: dx and x: one is the other's gradient."},
      {"in: g, add: x, out: x}", "in: g, out: y}", "mine.yaml:17: model.network: h.0.down: nothing reads y."},
      {"  block:\n", "  block:\n    up.bais: {shape: [filter], value: 0}\n",
       "mine.yaml:7: model.network: up.bais: no operation uses it."},
      {"keep: [x, u]", "keep: [x, w]", "mine.yaml:20: model.network: keep names w, which no operation makes."},
      {"up.bias", "up\\bias",
       "mine.yaml:8: model.network: \"up\\bias\" is not a name. HINT: use letters, digits, _ and ., 200 at most."},
      {"residual: true", "residual: maybe",
       "mine.yaml:9: model.network: true or false is missing. HINT: write one of them."},
      {"      - {linear: down, in: g, add: x, out: x}\n",
       "      - {linear: down, in: g, add: x, out: x}\n      - {linear: up, in: x, out: v}\n      - {linear: down, in: "
       "v, add: x, out: x}\n      - {linear: up, in: x, out: w}\n      - {linear: down, in: w, add: x, out: x}\n",
       "mine.yaml:20: model.network: h.1.up: backward reads x after its place has another value. HINT: give the result "
       "another name, "
       "and name that in keep:, too."},
      {"  - {loss: loss, in: logits}\n", "  - {loss: loss, in: logits}\n  - {loss: again, in: logits}\n",
       "model.network: mine.yaml has more than one embed or loss."},
      {"normal: 0.1}", "normal: .nan}", "mine.yaml:4: model.network: a number is missing."},
      {"  - {loss: loss, in: logits}\n", "", "model.network: mine.yaml does not begin with embed and end with loss."},
      {"in: g, add: x, out: x}", "in: g, in: u, add: x, out: x}",
       "mine.yaml:17: model.network: in occurs twice. HINT: leave one of them."},
      {"keep: [x, u]", "keep: [x, u]\nkeep: [x]", "mine.yaml:21: model.network: keep occurs twice."},
      {"tokens: wte.weight, positions", "in: x, tokens: wte.weight, positions",
       "mine.yaml:13: model.network: in is not a key of embed. HINT: use embed, tokens, positions, segments, out, "
       "add."},
      {"{gelu: act, in: u", "{gelu: act, linear: up, in: u",
       "mine.yaml:16: model.network: gelu is not a key of linear."},
      {"{loss: loss, in: logits}", "{loss: loss, in: logits, out: x}",
       "mine.yaml:19: model.network: out is not a key of loss."},
      {"normal: 0.1}", "normal: -0.1}",
       "mine.yaml:4: model.network: a deviation of -0.1 is below 0. HINT: write 0 or more."},
      {"normal: 0.1}", "normal: 0.1, value: 1}",
       "mine.yaml:4: model.network: wte.weight has normal: and value:. HINT: leave one of them."},
      {"up.bias", "up.weight", "mine.yaml:8: model.network: up.weight: occurs twice. HINT: remove one."},
      {"head.weight: {shape: [hidden, vocab]", "head.weight: {tied: wpe.weight, shape: [hidden, vocab]",
       "mine.yaml:10: model.network: head.weight: is tied to wpe.weight, which has another shape."},
      {"wpe.weight: {", "weft.m.wte.weight: {",
       "mine.yaml:5: model.network: weft.m.wte.weight is reserved for checkpoints. HINT: give it another name."},
      {"[vocab, hidden], normal", "[99999999999 vocab, hidden], normal",
       "mine.yaml:4: model.network: 99999999999 vocab is not a size."},
      {"in: x, out: u", "in: [], out: u", "mine.yaml:15: model.network: up: has 0 inputs. HINT: give it 1."},
      {"wpe.weight: {", "__metadata__: {", "mine.yaml:5: model.network: __metadata__ is reserved for checkpoints."},
      {"{loss: loss, in: logits}", "{loss: loss, in: x}",
       "mine.yaml:19: model.network: loss: its input does not have vocabulary features. HINT: give it logits."},
      {"keep: [x, u]", "keep: [x, u]\n--- # another\nnetwork: other",
       "mine.yaml:21: model.network: has more than one YAML document. HINT: keep one, remove the --- or the text "
       "before it."},
      {"keep: [x, u]", "keep: [x, u]\n...\nnetwork: other",
       "mine.yaml:22: model.network: has more than one YAML document."},
      {"keep: [x, u]", "keep: !mine [x, u]",
       "mine.yaml:20: model.network: the tag !mine is not supported. HINT: write the value without it."},
      {"keep: [x, u]", "keep:\t[x, u]",
       "mine.yaml:20: model.network: a tab is before a key or a value. HINT: write spaces."},
      {"keep: [x, u]", "\tkeep: [x, u]", "mine.yaml:20: model.network: a tab is before a key or a value."},
      {"keep: [x, u]", "keep: [x, u\x01]", "mine.yaml:20: model.network: has the control character 0x01."},
      {"keep: [x, u]", "keep:", "mine.yaml:20: model.network: keep is empty. HINT: write one word."},
  };
  for (const Wrong& w : wrong) {
    const std::string said = refusal(changed(w.from, w.to));
    EXPECT_EQ(said.substr(0, std::string(w.line).size()), w.line);
  }
}

/// Names of values may contain dots, and may thus collide with values kept by a layer or a norm.
TEST(NetworkFile, WithOneArrayOfTwoIsRefused) {
  const auto said = [](std::string text, const std::string& name) {
    for (std::size_t at; (at = text.find("$")) != std::string::npos;) text.replace(at, 1, name);
    return refusal(text);
  };
  const std::string text = R"(
network: two
tensors:
  wte.weight: {shape: [vocab, hidden], normal: 0.1}
  block:
    ln.weight: {shape: [hidden], value: 1}
    ln.bias: {shape: [hidden], value: 0}
    up.weight: {shape: [hidden, filter], normal: 0.1}
    mid.weight: {shape: [filter, hidden], normal: 0.1}
    down.weight: {shape: [hidden, hidden], normal: 0.1}
  head.weight: {shape: [hidden, vocab], normal: 0.1}
operations:
  - {embed: start, tokens: wte.weight, out: x}
  - block:
      - {norm: ln, in: x, out: a}
      - {linear: up, in: a, out: u}
      - {linear: mid, in: u, out: $}
      - {linear: down, in: $, add: x, out: x}
  - {linear: head, in: x, out: logits}
  - {loss: loss, in: logits}
keep: [u, a]
)";
  EXPECT_EQ(said(text, "b"), "");
  EXPECT_EQ(said(text, "h.2.u"), "");
  EXPECT_NE(said(text, "h.0.x"), "");  // not kept
  EXPECT_EQ(said(text, "h.0.u"),
            "mine.yaml:17: model.network: h.0.mid: h.0.u and the values that layer 0 keeps of u are one array, h.0.u. "
            "HINT: give one of them another name.");
  EXPECT_NE(said(text, "h.1.ln.xhat").find("the values that norm ln keeps"), std::string::npos);
  EXPECT_NE(said(text, "h.1.ln.rstd").find("the values that norm ln keeps"), std::string::npos);
}

/// The keep list does not affect a recomputed block, so the hint must not suggest changing it.
TEST(NetworkFile, WithThreeAdditionsABlockIsComputedAgainIfTheyHaveNames) {
  const auto said = [&](const std::string& second, Recompute recompute) -> std::string {
    std::string text = kThird;
    const std::string down = "      - {linear: down, in: g, add: x, out: x}\n";
    text.insert(text.find(down),
                "      - {linear: down, in: g, add: x, out: y}\n      - {linear: up, in: y, out: w}\n"
                "      - {gelu: act, in: w, out: z}\n      - {linear: down, in: z, add: y, out: " +
                    second + "}\n      - {linear: up, in: " + second +
                    ", out: w}\n      - {gelu: act, in: w, out: g}\n");
    text.replace(text.find("add: x, out: x"), 14, "add: " + second + ", out: x");
    text.replace(text.find("keep: [x, u]"), 12, "keep: [x, y, u]");
    try {
      training_schedule(read_network(text, "mine.yaml", {.layers = 2, .recompute = recompute}));
    } catch (const Refusal& r) {
      return r.what();
    }
    return "";
  };
  EXPECT_EQ(said("y2", Recompute::Block), "");
  const std::string again = said("y", Recompute::Block);
  EXPECT_NE(again.find("HINT: give each sum of a block another name, or use model.recompute none."), std::string::npos)
      << again;
}

TEST(NetworkFile, EmptyFileIsRejected) {
  const std::string path = testing::TempDir() + "empty_network.yaml";
  std::ofstream{path};
  try {
    find_network(path, {});
    FAIL();
  } catch (const Refusal& r) {
    EXPECT_EQ(std::string(r.what()), path + ":1: model.network: this is not a mapping. HINT: write key: value.");
  }
  std::filesystem::remove(path);
}

/// For example a checkpoint: it must not be read.
TEST(NetworkFile, LargeFileIsRejected) {
  const std::string path = testing::TempDir() + "large_network.yaml";
  std::ofstream{path} << kThird;
  std::filesystem::resize_file(path, (1 << 20) + 1);
  try {
    find_network(path, {});
    FAIL();
  } catch (const Refusal& r) {
    EXPECT_EQ(std::string(r.what()), "model.network: " + path +
                                         " has 1048577 bytes, which no network needs. HINT: name "
                                         "another file: of at most 1048576 bytes.");
  }
  std::filesystem::remove(path);
}

TEST(NetworkFile, MissingFileIsRejected) {
  try {
    find_network("gpt5", {});
    FAIL();
  } catch (const Refusal& r) {
    EXPECT_STREQ(r.what(),
                 "model.network: gpt5 is neither built in nor a file that can be read. HINT: use bert, "
                 "bert_pretraining, cerebras_gpt, gpt2, gptj, llama or the path of a network file.");
  }
}

}  // namespace
}  // namespace weft::network
