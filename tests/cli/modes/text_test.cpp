/// From text to a trained model that generates text, by the program's commands.
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"
#include "tests/random.hpp"
#include "tests/says.hpp"

namespace weft::cli {
namespace {

class TextCommands : public testing::Test {
 protected:
  TextCommands() {
    write_small_run(folder_);
    test::Rng rng(test::test_seed());
    std::string text;
    for (int i = 0; i < 3000; ++i) text += "the of and to in a is that for it was on"[rng.below(40)];
    folder_.write("corpus.txt", text);
  }

  ProgramResult weft(const std::vector<std::string>& arguments, int status = 0) const {
    const ProgramResult result = run_program(folder_, arguments);
    EXPECT_EQ(result.status, status) << result.err;
    return result;
  }
  /// Trains up to `steps` steps in total, with the tokenizer in `tok`.
  ProgramResult train(const std::string& model_dir, int steps, const std::string& data,
                      std::vector<std::string> more = {"--train_input.vocab_file", "tok/vocab.json",
                                                       "--train_input.merges_file", "tok/merges.txt"}) const {
    std::vector<std::string> all = {"run",
                                    "--params",
                                    "mine.yaml",
                                    "--model_dir",
                                    model_dir,
                                    "--num_steps",
                                    std::to_string(steps),
                                    "--train_input.tokenizer",
                                    "bpe",
                                    "--train_input.data_dir",
                                    data,
                                    "--model.vocab_size",
                                    "300"};
    all.insert(all.end(), more.begin(), more.end());
    return weft(all);
  }
  std::string hash(const std::string& model_dir) const {
    const std::string lines = test::file_text(folder_ / (model_dir + "/metrics.jsonl"));
    const std::size_t at = lines.rfind('\n', lines.size() - 2);
    return nlohmann::json::parse(lines.substr(at == std::string::npos ? 0 : at + 1)).at("state_hash");
  }

  const test::TemporaryFolder folder_;
};

TEST_F(TextCommands, ATokenizerIsTrainedTextTokenizedAndAModelContinues) {
  EXPECT_SAYS(weft({"tokenizer", "train", "corpus.txt", "--vocab_size", "300", "--out", "tok"}).out, "tok: ");
  EXPECT_SAYS(
      weft({"tokenize", "corpus.txt", "--tokenizer", "tok/vocab.json", "--merges", "tok/merges.txt", "--out", "a.bin"})
          .out,
      "of 1 document");
  weft({"tokenize", "corpus.txt", "--tokenizer", "tok/tokenizer.json", "--out", "b.bin", "--threads", "3"});
  EXPECT_EQ(test::file_text(folder_ / "a.bin"), test::file_text(folder_ / "b.bin"));
  EXPECT_EQ(weft({"detokenize", "a.bin", "--tokenizer", "tok/tokenizer.json"}).out,
            test::file_text(folder_ / "corpus.txt") + "<|endoftext|>");
  // Training on text, on the shard, and on first one and then the other gives the same result.
  train("text", 4, "corpus.txt");
  train("shard", 4, "a.bin");
  train("both", 2, "corpus.txt");
  train("both", 4, "a.bin", {});
  weft({"tokenize", "corpus.txt", "--tokenizer", "tok/tokenizer.json", "--out", "plain.bin", "--headerless"});
  EXPECT_EQ(test::file_text(folder_ / "plain.bin"), test::file_text(folder_ / "a.bin").substr(1024));
  train("plain", 2, "plain.bin",
        {"--train_input.shard_format", "nanogpt", "--train_input.vocab_file", "tok/tokenizer.json"});
  train("plain", 4, "a.bin", {});
  EXPECT_EQ(hash("text"), hash("plain"));
  EXPECT_EQ(weft({"detokenize", "plain.bin", "--headerless", "--tokenizer", "tok/tokenizer.json"}).out,
            test::file_text(folder_ / "corpus.txt") + "<|endoftext|>");
  EXPECT_EQ(hash("text"), hash("shard"));
  EXPECT_EQ(hash("text"), hash("both"));
  const ProgramResult said =
      weft({"run", "--params", "mine.yaml", "--model_dir", "both", "--model.vocab_size", "300", "--mode", "generate",
            "--prompt", "a <|endoftext|>", "--runconfig.max_new_tokens", "5"});
  EXPECT_EQ(said.out.substr(0, 15), "a <|endoftext|>");
}

TEST_F(TextCommands, InputFileIsNotReplacedByTheShard) {
  weft({"tokenizer", "train", "corpus.txt", "--vocab_size", "260", "--out", "tok"});
  const std::string text = test::file_text(folder_ / "corpus.txt"),
                    vocabulary = test::file_text(folder_ / "tok/tokenizer.json");
  const auto into = [&](const std::string& out, int status, std::vector<std::string> more = {}) {
    std::vector<std::string> all = {"tokenize", "corpus.txt", "--tokenizer", "tok/tokenizer.json", "--out", out};
    all.insert(all.end(), more.begin(), more.end());
    return weft(all, status).err;
  };
  EXPECT_SAYS(into("corpus.txt", 2), "corpus.txt: exists and is not a token shard");
  EXPECT_SAYS(into("corpus.txt", 2, {"--shard_tokens", "0"}), "corpus.txt: exists and is not a token shard");
  EXPECT_SAYS(into("tok/tokenizer.json", 2), "tok/tokenizer.json: exists and is not a token shard");
  EXPECT_EQ(test::file_text(folder_ / "corpus.txt"), text);
  EXPECT_EQ(test::file_text(folder_ / "tok/tokenizer.json"), vocabulary);
  into("tokens", 0);
  into("tokens", 0);  // the shard is replaced
  into("plain.bin", 0, {"--headerless"});
  into("plain.bin", 0, {"--headerless"});
  into("some", 0, {"--shard_tokens", "2000"});
  EXPECT_SAYS(into("some", 0, {"--shard_tokens", "1000000"}), "of an earlier run with the numbers that follow");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "some_000001.bin"));
}

TEST_F(TextCommands, AFolderOfTrainingAndValidationIsNotOneShard) {
  weft({"tokenizer", "train", "corpus.txt", "--vocab_size", "260", "--out", "tok"});
  for (const char* file : {"flat/a_train.txt", "flat/a_valid.txt", "deep/train/a.txt", "deep/validation/a.txt",
                           "whole/latest.txt", "whole/train.txt"})
    folder_.write(file, "some text");
  const auto tokenize = [&](const std::string& in, int status) {
    const ProgramResult result = weft({"tokenize", in, "--tokenizer", "tok/tokenizer.json", "--out", "x.bin"}, status);
    return status == 0 ? result.out : result.err;
  };
  EXPECT_SAYS(tokenize("flat", 2), "flat: has a_train.txt and a_valid.txt, which would be read as one data set");
  EXPECT_SAYS(tokenize("flat/*", 2), "has a_train.txt and a_valid.txt, which would be read as one data set");
  EXPECT_SAYS(tokenize("deep", 2), "deep: has train/a.txt and validation/a.txt, which would be read as one data set");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x.bin"));
  EXPECT_SAYS(tokenize("flat/*train*", 0), "of 1 document");
  EXPECT_SAYS(tokenize("deep/train", 0), "of 1 document");
  EXPECT_SAYS(tokenize("whole", 0), "of 2 documents");
  EXPECT_SAYS(tokenize("*", 2), "matches the folder");
}

/// Existing shards may use the vocabulary; without it their text would be lost.
TEST_F(TextCommands, AVocabularyOfAnotherProgramIsNotReplaced) {
  const auto train_into = [&](const std::string& out, int status) {
    return weft({"tokenizer", "train", "corpus.txt", "--vocab_size", "260", "--out", out}, status).err;
  };
  train_into("own", 0);
  train_into("own", 0);  // weft's own vocabulary is replaced
  const std::vector<std::pair<std::string, std::string>> others = {
      {"merges.txt", "#version: 0.2\nt h\n"}, {"vocab.json", "{\"a\": 0}"}, {"tokenizer.json", "{}"}};
  for (const auto& [name, content] : others) {
    const std::string there = folder_.write("of_" + name + "/" + name, content);
    EXPECT_SAYS(train_into("of_" + name, 2), name + ": exists with other content, which would be lost");
    EXPECT_EQ(test::file_text(there), content);
  }
  folder_.write("empty/vocab.json", "");
  train_into("empty", 0);
}

/// Without a header, a reader cannot distinguish 32-bit from 16-bit tokens.
TEST_F(TextCommands, AShardWithoutAHeaderHas16BitsAToken) {
  weft({"tokenizer", "train", "corpus.txt", "--vocab_size", "260", "--out", "tok"});
  auto tokenizer = nlohmann::json::parse(test::file_text(folder_ / "tok/tokenizer.json"));
  const std::size_t there = tokenizer["model"]["vocab"].size();
  const auto with = [&](std::size_t size) {
    nlohmann::json more = tokenizer;
    for (std::size_t id = there; id < size; ++id)
      more["added_tokens"].push_back({{"id", id}, {"content", "<" + std::to_string(id) + ">"}});
    folder_.write("more.json", more.dump());
  };
  const std::vector<std::string> words = {"tokenize", "corpus.txt", "--tokenizer", "more.json",
                                          "--out",    "x.bin",      "--headerless"};
  with(65536);
  weft(words);
  std::filesystem::remove(folder_ / "x.bin");
  with(65537);
  EXPECT_SAYS(weft(words, 2).err, "--headerless: writes 16 bits per token, but the vocabulary has 65537 tokens");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x.bin"));
}

TEST_F(TextCommands, ErrorIsOneLine) {
  folder_.write("bad.jsonl", "{\"text\": \"a\"}\n{\"texts\": \"a\"}\n");
  weft({"tokenizer", "train", "corpus.txt", "--vocab_size", "260", "--out", "tok"});
  const std::pair<std::vector<std::string>, std::string> wrong[] = {
      {{"tokenize"}, "IN: missing"},
      {{"tokenize", "corpus.txt"}, "--tokenizer: missing"},
      {{"tokenize", "corpus.txt", "--tokenizer", "tok/tokenizer.json"}, "--out: missing"},
      {{"tokenize", "corpus.txt", "--tokenizer", "tok/vocab.json", "--out", "x.bin"}, "tok/vocab.json: has no merges"},
      {{"tokenize", "corpus.txt", "--tokenizer", "tok/tokenizer.json", "--merges", "tok/merges.txt", "--out", "x.bin"},
       "tok/tokenizer.json: is a tokenizer.json, which contains its merges"},
      {{"tokenize", "bad.jsonl", "--tokenizer", "tok/tokenizer.json", "--out", "x.bin"},
       "bad.jsonl:2: has no text \"text\""},
      {{"tokenize", "corpus.txt", "--tokenizer", "tok/tokenizer.json", "--out", "x.bin", "--eot", "?!"},
       "--eot: \"?!\" is not a token"},
      {{"tokenize", "corpus.txt", "--tokenizer", "tok/tokenizer.json", "--out", "x.bin", "--threads", "0"},
       "--threads: is not 1 to"},
      {{"tokenize", "corpus.txt", "--tokenizer", "tok/tokenizer.json", "--out", "x.bin", "--num_csx", "2"},
       "command line: --num_csx: unknown flag"},
      {{"detokenize", "corpus.txt", "--tokenizer", "tok/tokenizer.json"}, "corpus.txt: is not a token shard"},
      {{"detokenize", "no.bin", "--tokenizer", "tok/tokenizer.json"}, "no.bin: cannot be opened"},
      {{"detokenize", ".", "--tokenizer", "tok/tokenizer.json"}, ".: is not a regular file. HINT: name a token shard"},
      {{"detokenize", "/dev/zero", "--tokenizer", "tok/tokenizer.json"}, "/dev/zero: is not a regular file."},
      {{"tokenizer", "train", "corpus.txt", "--vocab_size", "300", "--out", "t", "--special", "a"},
       "--special: token \"a\" has fewer than 2 bytes."},
      {{"tokenizer", "make", "corpus.txt"}, "weft tokenizer: requires the action train"},
      {{"tokenizer", "train", "corpus.txt", "--vocab_size", "9", "--out", "t"},
       "--vocab_size: 9 tokens are fewer than"},
      {{"run", "--params", "mine.yaml", "--train_input.vocab_file", "tok/vocab.json"},
       "command line: train_input.vocab_file: does not apply to train_input.tokenizer"}};
  for (const auto& [arguments, line] : wrong) {
    const ProgramResult result = weft(arguments, 2);
    EXPECT_EQ(result.err.substr(0, line.size()), line) << result.err;
    EXPECT_EQ(result.error_lines(), 1) << result.err;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x.bin"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "t"));
}

}  // namespace
}  // namespace weft::cli
