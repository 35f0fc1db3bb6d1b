/// The mode `generate`, in this process: a small GPT learns a periodic text and continues it.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <span>
#include <sstream>

#include "host/checkpoint/checkpoint.hpp"
#include "host/tokenizer/tokenizer.hpp"
#include "host/tokenizer/vocabulary.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/generate/small_generation.hpp"
#include "tests/reference/gpt.hpp"

namespace weft::generate {
namespace {

TEST_F(Generate, ContinuesWithTheTextThatWasLearned) {
  train();
  EXPECT_EQ(run(corpus(3, 5).substr(0, 5), 40).text, corpus(3, 45)) << "beyond the sequence's length of 8";
  EXPECT_EQ(run(corpus(0, 30).substr(0, 30), 3).text, corpus(0, 33)) << "a prompt longer than a sequence";
}

TEST_F(Generate, ChoosesWhatTheReferenceFindsLikeliest) {
  train({{"runconfig.num_steps", "25"}});  // not trained to convergence
  const std::string text = run("ab", 60).text;
  const config::Config c = config({});
  const auto tensors = compiler::model_tensors(c.model);
  const checkpoint::Checkpoint checkpoint =
      checkpoint::load_checkpoint(folder_ / "out/checkpoint_25.safetensors", tensors);
  const auto tokenizer = tokenizer::load_vocabulary(folder_ / "out");
  ASSERT_TRUE(tokenizer);
  std::vector<TokenId> tokens;
  tokenizer->encode(text.substr(0, text.size() - 1), tokens);
  ASSERT_EQ(tokens.size(), 62U);
  const auto seq = static_cast<std::size_t>(c.model.seq);
  int clear = 0;
  for (std::size_t n = 2; n < tokens.size(); ++n) {
    std::vector<TokenId> window(tokens.begin() + (n > seq ? n - seq : 0), tokens.begin() + n);
    const std::size_t last = window.size() - 1;
    window.resize(seq);
    const auto logits =
        reference::reference_gpt(c.model, tensors, checkpoint.weights, window, window).activations.at("logits");
    const auto begin = logits.begin() + static_cast<std::ptrdiff_t>(last) * c.model.vocab;
    std::vector<double> sorted(begin, begin + tokenizer->size());
    const double chosen = sorted[tokens[n]];
    std::ranges::sort(sorted, std::greater{});
    EXPECT_GT(chosen, sorted[0] - 0.05) << "token " << n;
    if (sorted[0] - sorted[1] < 0.05) continue;
    EXPECT_EQ(chosen, sorted[0]) << "token " << n;
    ++clear;
  }
  EXPECT_GT(clear, 40) << "of 60 choices";
}

TEST_F(Generate, IsTheSameTextOnEveryBackendWithCyclesOnRtl) {
  train({{"runconfig.num_steps", "3"}});
  for (const std::string temperature : {"0", "1"}) {
    const std::vector<config::Override> rtl = {{"wafer.backend", "rtl"}, {"runconfig.temperature", temperature}};
    const Generated model = run("abe", 12, {rtl[1]}), simulated = run("abe", 12, rtl);
    EXPECT_EQ(model.text, simulated.text);
    EXPECT_EQ(model.text.size(), 3 + 12 + 1U);
    EXPECT_NE(simulated.notes.find("12 tokens in "), std::string::npos) << simulated.notes;
    EXPECT_NE(simulated.notes.find(" simulated cycles, "), std::string::npos) << simulated.notes;
    EXPECT_EQ(model.notes.find("cycles"), std::string::npos) << model.notes;
  }
}

TEST_F(Generate, DrawsBySeedTemperatureAndTopK) {
  train({{"runconfig.num_steps", "3"}});
  const auto drawn = [&](std::vector<config::Override> more) {
    more.push_back({"runconfig.temperature", "1.5"});
    return run("ab", 30, more).text;
  };
  EXPECT_EQ(drawn({{"runconfig.seed", "7"}}), drawn({{"runconfig.seed", "7"}}));
  EXPECT_NE(drawn({{"runconfig.seed", "7"}}), drawn({{"runconfig.seed", "8"}}));
  EXPECT_EQ(drawn({{"runconfig.top_k", "1"}}), run("ab", 30).text);
}

TEST_F(Generate, TakesBytesAndKeepsItsOutputUtf8) {
  folder_.write("corpus.txt", test::file_text(folder_ / "corpus.txt") + "\xc3\xa9");
  const std::vector<config::Override> bytes = {{"train_input.tokenizer", "byte"}, {"model.vocab_size", "256"}};
  auto short_run = bytes;
  short_run.push_back({"runconfig.num_steps", "2"});
  train(short_run);
  auto hot = bytes;
  hot.push_back({"runconfig.temperature", "1000"});
  const std::string text = run("\xc3\xa9 ", 300, hot).text;
  EXPECT_EQ(text.substr(0, 3), "\xc3\xa9 ");
  EXPECT_NO_THROW(tokenizer::characters_of(text)) << "no UTF-8";
  EXPECT_NE(text.find("\xef\xbf\xbd"), std::string::npos) << "300 random bytes have one that is no character";
}

TEST_F(Generate, ContinuesTokenIdsWithoutAVocabulary) {
  // The corpus as ids, where 'a' is 0: the model learns the same from shards as from text.
  std::string text = test::file_text(folder_ / "corpus.txt");
  std::vector<TokenId> ids;
  for (const char c : text) ids.push_back(static_cast<TokenId>(c - 'a'));
  folder_.write("corpus.bin", test::shard_bytes(ids));
  const config::Override shards{"train_input.data_dir", folder_ / "corpus.bin"};
  train({shards});
  std::filesystem::remove(folder_ / "corpus.bin");
  const auto numbers = [&](std::size_t first, std::size_t count) {
    return fmt::format("{}\n", fmt::join(std::span(ids).subspan(first, count), " "));
  };
  const std::string prompt = fmt::format("{}", fmt::join(std::span(ids).subspan(3, 5), ", "));
  const config::Override tokens{"runconfig.prompt_tokens", prompt};
  EXPECT_EQ(run("", 40, {shards, tokens}).text, numbers(3, 45));
}

TEST_F(Generate, ContinuesIdsLikeTheirText) {
  train({{"runconfig.num_steps", "3"}});
  const auto tokenizer = tokenizer::load_vocabulary(folder_ / "out");
  ASSERT_TRUE(tokenizer);
  std::vector<TokenId> ids;
  const config::Override hot{"runconfig.temperature", "2"};
  const std::string text = run("abe", 30, {hot}).text;
  tokenizer->encode(text.substr(0, text.size() - 1), ids);
  const std::string prompt = fmt::format("{}", fmt::join(std::span(ids).first(3), ","));
  EXPECT_EQ(run("", 30, {hot, {"runconfig.prompt_tokens", prompt}}).text, fmt::format("{}\n", fmt::join(ids, " ")));
}

TEST_F(Generate, NeedsTheCheckpointAndItsVocabularyAloneAndTouchesNothing) {
  train();
  const std::string text = run("abe", 10).text;
  std::filesystem::rename(folder_ / "out", folder_ / "kept");
  std::filesystem::remove(folder_ / "corpus.txt");
  const auto contents = [&] {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path())) {
      all[entry.path()] = entry.is_regular_file() ? test::file_text(entry.path()) : "";
    }
    return all;
  };
  const auto before = contents();
  EXPECT_EQ(run("abe", 10, {{"runconfig.checkpoint_path", folder_ / "kept/checkpoint_200.safetensors"}}).text, text);
  EXPECT_EQ(run("abe", 10, {{"runconfig.model_dir", folder_ / "kept"}}).text, text);
  EXPECT_EQ(contents(), before);
}

/// Errors about prompts, in one line.
class BadPrompt : public Generate {
 protected:
  void expect(const std::string& error, std::vector<std::string> more) {
    more.insert(more.begin(), {"run", "--params", "mine.yaml", "--model_dir", "out", "--mode", "generate"});
    const cli::ProgramResult result = cli::run_program(folder_, more);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, error);
  }
};

TEST_F(BadPrompt, IsRefusedInOneLine) {
  expect(
      "mine.yaml: runconfig.prompt: missing: generate continues a text. HINT: give it one, e.g. --prompt \"The \", or "
      "token ids, e.g. --prompt_tokens \"1,2,3\".\n",
      {});
  expect(
      "command line: runconfig.prompt_tokens: cannot be combined with runconfig.prompt. HINT: leave one of them out.\n",
      {"--prompt", "ab", "--prompt_tokens", "1"});
  expect(
      "command line: runconfig.model_dir: out has no checkpoint. HINT: train first, or name a file with "
      "--checkpoint_path.\n",
      {"--prompt", "ab"});
  train({{"runconfig.num_steps", "1"}});
  expect(
      "command line: runconfig.prompt: character '\xc3\xa9' (U+00E9) at offset 2 is not in the vocabulary. HINT: use "
      "only "
      "characters of the training text, or train with tokenizer: byte.\n",
      {"--prompt", "ab\xc3\xa9"});
  expect("command line: runconfig.temperature: -1 is out of range. HINT: use 0 to 1000.\n",
         {"--prompt", "ab", "--runconfig.temperature", "-1"});
  std::filesystem::remove(folder_ / "out/vocab.json");
  folder_.write("corpus.txt", test::shard_bytes(std::vector<std::uint16_t>(100, 3)));
  expect(
      "command line: runconfig.prompt: the model was trained on token shards: no vocabulary maps tokens to "
      "text. HINT: give ids instead, e.g. --prompt_tokens \"1,2,3\", or put the vocab.json of a run on text next to "
      "the "
      "checkpoint.\n",
      {"--prompt", "ab"});
  const auto ids = [&](const std::string& text, const std::string& error) {
    expect("command line: runconfig.prompt_tokens: " + error + ".\n", {"--prompt_tokens", text});
  };
  for (const std::string word : {"one", "-1", "1.5", "", "1 2"}) {
    ids("1," + word, "\"" + word + "\" is not a token id. HINT: write ids with commas between them, e.g. \"1,2,3\"");
  }
  for (const std::string word : {"14", "65536", "99999999999999999999"}) {
    ids(word, "token " + word + " is not below model.vocab_size 14. HINT: use ids of 0 to 13");
  }
}

}  // namespace
}  // namespace weft::generate
