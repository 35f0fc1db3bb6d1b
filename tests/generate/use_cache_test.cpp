/// Generation with keys and values on the wafer gives the same text as without, and falls back where that is
/// impossible.
#include "host/generate/use_cache.hpp"

#include <fmt/format.h>

#include "sw/compiler/compile.hpp"
#include "sw/compiler/graph/decode_graph.hpp"
#include "sw/compiler/plan/decode.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "tests/generate/small_generation.hpp"

namespace weft::generate {
namespace {

class UseCache : public Generate {
 protected:
  static std::vector<config::Override> with(std::vector<config::Override> list,
                                            const std::vector<config::Override>& more) {
    list.insert(list.end(), more.begin(), more.end());
    return list;
  }
  Generated run_with(const std::string& use, const std::string& prompt, int tokens,
                     const std::vector<config::Override>& more = {}) const {
    return run(prompt, tokens, with(more, {{"runconfig.use_cache", use}}));
  }
  /// The number of cycles per token in the last line of the notes.
  static int cycles_a_token(const Generated& of) {
    const std::size_t end = of.notes.rfind(" a token"), begin = of.notes.rfind(' ', end - 1);
    return std::stoi(of.notes.substr(begin + 1, end - begin - 1));
  }
  std::string refused(const std::vector<config::Override>& more) const {
    try {
      (void)run_with("always", "ab", 3, more);
    } catch (const Refusal& e) {
      return e.what();
    }
    return "";
  }
};

TEST_F(UseCache, IsTheSameTextAsWithout) {
  const std::vector<std::vector<config::Override>> shapes = {
      {},
      {{"wafer.rows", "3"}, {"wafer.cols", "1"}},
      {{"model.max_sequence_length", "32"}, {"wafer.sequence_columns", "2"}},
      {{"model.network", "gptj"}, {"model.rotary_dim", "4"}, {"model.share_embedding_weights", "false"}},
      {{"model.recompute", "block"}, {"wafer.psum_cycles", "4"}, {"wafer.cols", "4"}}};
  int number = 0;
  for (const std::vector<config::Override>& shape : shapes) {
    SCOPED_TRACE(number);
    const auto more = with(shape, {{"runconfig.temperature", "1.5"},
                                   {"runconfig.num_steps", "3"},
                                   {"runconfig.model_dir", folder_ / fmt::format("out_{}", number++)}});
    train(more);
    const std::string without = run_with("never", "abe", 40, more).text;
    EXPECT_EQ(without.size(), 44U);
    EXPECT_EQ(run_with("always", "abe", 40, more).text, without);
    EXPECT_EQ(run_with("auto", "abe", 40, more).text, without);
  }
}

/// More prompts than lanes of all columns, of different lengths, one longer than the window.
TEST_F(UseCache, IsTheSameForManyPrompts) {
  train({{"runconfig.num_steps", "3"}});
  std::vector<config::Override> prompts;
  for (const char* text : {"ab", "k", "abe", "j", "k", "mdb", "abdabdabdab", "ee", "d", "ab", "jk", "m"})
    prompts.push_back({"runconfig.prompt", text});
  for (const std::string stop : {"", "a"}) {
    std::vector<config::Override> more = prompts;
    if (!stop.empty()) more.push_back({"runconfig.stop", stop});
    EXPECT_EQ(run_with("always", "", 11, more).text, run_with("never", "", 11, more).text);
  }
}

TEST_F(UseCache, IsTheSameOnRtlWhereATokenCostsLess) {
  const std::vector<config::Override> shape = {{"model.max_sequence_length", "48"}, {"wafer.sequence_columns", "1"}};
  train(with(shape, {{"runconfig.num_steps", "3"}}));
  const auto rtl = with(shape, {{"wafer.backend", "rtl"}, {"runconfig.temperature", "1.5"}});
  const Generated kept = run_with("auto", "ab", 8, rtl), passes = run_with("never", "ab", 8, rtl);
  EXPECT_EQ(kept.text, passes.text);
  EXPECT_LT(cycles_a_token(kept), cycles_a_token(passes));
  std::vector<config::Override> many = rtl;
  for (const char* text : {"ab", "kj", "be", "dd", "ak", "ad", "mb", "bm"}) many.push_back({"runconfig.prompt", text});
  const Generated together = run_with("auto", "", 8, many);
  EXPECT_EQ(together.text, run_with("never", "", 8, many).text);
  EXPECT_LT(4 * cycles_a_token(together), cycles_a_token(kept)) << "eight texts";
}

TEST_F(UseCache, PaysWhereMoreFollowsThanAPromptIsLong) {
  const auto kept = [&](const std::string& use, const std::string& tokens, std::size_t prompt) {
    return keeps(
        config(
            {{"runconfig.use_cache", use}, {"model.max_sequence_length", "20"}, {"runconfig.max_new_tokens", tokens}}),
        prompt);
  };
  EXPECT_TRUE(kept("auto", "5", 5));
  EXPECT_FALSE(kept("auto", "4", 5));
  EXPECT_TRUE(kept("auto", "100", 10)) << "11 before the window slides";
  EXPECT_FALSE(kept("auto", "100", 11)) << "10";
  EXPECT_TRUE(kept("always", "1", 20));
  EXPECT_FALSE(kept("always", "1", 21)) << "the window slides from the first token on";
  EXPECT_FALSE(kept("never", "100", 1));
}

TEST_F(UseCache, FallsBackWithoutRoomAndSaysSoIfItIsWanted) {
  std::vector<config::Override> large = {{"model.max_sequence_length", "64"},
                                         {"model.hidden_size", "32"},
                                         {"runconfig.num_steps", "2"},
                                         {"wafer.cols", "8"}};
  train(large);
  EXPECT_TRUE(decode_plan(config(large), {}));
  large.push_back({"wafer.sram_kib", "12"});
  EXPECT_FALSE(decode_plan(config(large), {}));
  EXPECT_EQ(run_with("auto", "abe", 6, large).text, run_with("never", "abe", 6, large).text);
  const std::string error = refused(large);
  EXPECT_EQ(error.find("runconfig.use_cache: always, but wafer.sram_kib: every PE needs "), error.find("runconfig"))
      << error;
  EXPECT_NE(error.find("HINT: use a smaller model.max_sequence_length, or runconfig.use_cache auto"), std::string::npos)
      << error;
}

/// The backward pass rejects most unsuitable networks, but not attention outside the blocks.
TEST_F(UseCache, NeedsKeysAndValuesOfABlock) {
  std::string text = network::network_text("gpt2");
  const auto put_before = [&](const std::string& at, const std::string& more) { text.insert(text.find(at), more); };
  put_before("  ln_f.weight", R"(  x.weight: {shape: [hidden], value: 1}
  x.bias: {shape: [hidden], value: 0}
  x.attn.weight: {shape: [hidden, 3 head], normal: 0.02}
  x.proj.weight: {shape: [head, hidden], normal: 0.02}
)");
  put_before("  - {norm: ln_f", R"(  - {norm: x, in: residual, out: ln_out}
  - {linear: x.attn, in: ln_out, out: [q, k, v]}
  - {attention: x.attention, in: [q, k, v], out: heads}
  - {linear: x.proj, in: heads, add: residual, out: residual}
)");
  folder_.write("odd.yaml", text);
  compiler::ModelShape model{.vocab = 14, .hidden = 8, .layers = 1, .heads = 2, .filter = 8, .seq = 8};
  model.network = folder_ / "odd.yaml";
  try {
    (void)compiler::decode_graph(model);
    FAIL() << "keeps a value outside of the blocks";
  } catch (const Refusal& e) {
    EXPECT_EQ(e.problem(), "x.attention: k does not belong to a block: keys and values cannot be kept on the wafer");
  }
}

/// A pass for one position streams all weights of blocks and output head once, and of the embedding only the rows of
/// the tokens and of the position; pads are few.
TEST(DecodePlan, StreamsEachWeightOnceAndOfTheEmbeddingWhatTheTextsHave) {
  const compiler::ModelShape model{.vocab = 50, .hidden = 16, .layers = 2, .heads = 4, .filter = 24, .seq = 20};
  const compiler::Plan plan = compiler::compile_decode(model, {.rows = 2, .cols = 2});
  const std::vector<TokenId> tokens = {3, 8, 3};
  constexpr std::uint32_t kMinusZero = 0x8000;  // with no parameters, only pads have this value
  std::uint64_t weights = 0, pads = 0;
  for (std::size_t n = 0; n < plan.ops.size(); ++n) {
    std::vector<machine::Message> messages;
    compiler::expand(compiler::decode_op(plan, n, tokens, 7), {}, messages);
    for (const machine::Message& m : messages)
      if (!m.ctrl && plan.ops[n].returns == compiler::Returns::Nothing)
        ++((m.data & 0xffff) == kMinusZero ? pads : weights);
  }
  const int tables = (50 + 20) * 16, rows = (2 + 1) * 16, head = 50 * 16, residual = 2 * 2 * 16;
  EXPECT_EQ(weights, plan.parameters - tables + rows + head + residual);
  EXPECT_LT(pads, weights / 20);
  EXPECT_EQ(plan.tokens_per_column, plan.wafer.lanes) << "one beat";
}

TEST(DecodePlan, MovesKeysValuesAndTheCountOfPositionsAlone) {
  const compiler::Plan plan = compiler::compile_decode({.layers = 3}, {});
  std::size_t moved = 0;
  for (const compiler::Op& op : plan.ops) {
    moved += !op.moves.empty();
    for (const compiler::Op::Move& move : op.moves) EXPECT_GT(move.each, 0) << op.name;
  }
  EXPECT_EQ(moved, 3 * 3U) << "of each layer k, v and attention";
  EXPECT_EQ(plan.ops[compiler::decode_filling(plan) - 1].name, "h.2.attn");
}

}  // namespace
}  // namespace weft::generate
