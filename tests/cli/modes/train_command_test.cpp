/// `weft train FILE`.
#include "tests/cli/program.hpp"
#include "tests/says.hpp"

namespace weft::cli {
namespace {

class TrainCommand : public testing::Test {
 protected:
  ProgramResult weft(const std::vector<std::string>& words) const { return run_program(folder_, words); }
  std::string refusal(const std::vector<std::string>& words) const {
    const ProgramResult result = weft(words);
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_EQ(result.error_lines(), 1) << result.err;
    return result.err;
  }
  std::string last_line(const std::string& file) const {
    std::string text = test::file_text(folder_ / file);
    text.pop_back();
    return text.substr(text.rfind('\n') + 1);
  }
  static std::string text(std::size_t bytes) {
    std::string result;
    for (std::size_t n = 0; result.size() < bytes; ++n) result += "word " + std::to_string(n * n % 97) + "\n";
    return result;
  }

  test::TemporaryFolder folder_;
};

TEST_F(TrainCommand, ChoosesByTheTextAndWritesAFileThatRepeatsTheRun) {
  folder_.write("my.txt", text(4000));
  const ProgramResult first = weft({"train", "my.txt", "--num_steps", "3"});
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_SAYS(first.out, "text    my.txt: 4");
  EXPECT_SAYS(first.out, "kB, tokens are the 16 different characters of the text\n");
  EXPECT_SAYS(first.out, "chosen  2 layers, hidden 32, sequences of 32, on the smallest mesh that they fit, ");
  EXPECT_SAYS(first.out, "params  out/my.yaml: change it, and train again with weft run --params out/my.yaml\n");
  EXPECT_SAYS(first.out, "in 3 steps");

  const std::string params = test::file_text(folder_ / "out/my.yaml");
  EXPECT_SAYS(params, "# Chosen by weft train for my.txt.");
  EXPECT_SAYS(params, "  max_steps: 3\n");
  EXPECT_EQ(params.find("num_steps"), std::string::npos) << params;
  EXPECT_EQ(params.find("swarmx"), std::string::npos) << "only what was chosen\n" << params;
  ASSERT_EQ(weft({"run", "--params", "out/my.yaml", "--model_dir", "again"}).status, 0);
  const auto hash = [&](const std::string& folder) {
    const std::string line = last_line(folder + "/metrics.jsonl");
    return line.substr(line.find("state_hash"), 30);
  };
  EXPECT_EQ(hash("out/my"), hash("again"));
}

TEST_F(TrainCommand, KeepsAParameterFileAndResumes) {
  folder_.write("my.txt", text(4000));
  const std::vector<std::string> words = {"train", "my.txt", "--model_dir", "mine", "--num_steps", "2"};
  std::vector<std::string> first = words;
  first.insert(first.end(), {"--model.hidden_size", "16", "--mode", "validate_only"});
  ASSERT_EQ(weft(first).status, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "mine/metrics.jsonl"));
  ASSERT_EQ(weft(words).status, 0);
  const std::string params = test::file_text(folder_ / "mine.yaml");
  EXPECT_SAYS(params, "  hidden_size: 16\n");
  const ProgramResult more = weft({"train", "my.txt", "--model_dir", "mine", "--num_steps", "4"});
  ASSERT_EQ(more.status, 0) << more.err;
  EXPECT_SAYS(more.out, "params  mine.yaml exists and is used; remove it for a new choice\n");
  EXPECT_EQ(test::file_text(folder_ / "mine.yaml"), params);
  EXPECT_SAYS(last_line("mine/metrics.jsonl"), "{\"step\": 4,");
}

TEST_F(TrainCommand, AnotherTextOfTheSameNameIsRejected) {
  std::filesystem::create_directories(folder_ / "a");
  std::filesystem::create_directories(folder_ / "b");
  folder_.write("a/my.txt", text(4000));
  folder_.write("b/my.txt", text(3000));
  ASSERT_EQ(weft({"train", "a/my.txt", "--num_steps", "1"}).status, 0);
  EXPECT_SAYS(refusal({"train", "b/my.txt", "--num_steps", "2"}), "out/my.yaml: exists and trains on ");
  EXPECT_SAYS(refusal({"train", "b/my.txt"}),
              "/a/my.txt, not on b/my.txt. HINT: name another folder for this text, --model_dir DIR");
  std::filesystem::create_symlink("a/my.txt", folder_ / "other.txt");
  const ProgramResult link = weft({"train", "other.txt", "--model_dir", "out/my", "--num_steps", "2"});
  EXPECT_EQ(link.status, 0) << link.err;
  EXPECT_EQ(weft({"train", "b/my.txt", "--model_dir", "out/b", "--num_steps", "1"}).status, 0);
}

/// Characters beyond the limit of tokenizer char: a BPE is trained. Text that is not UTF-8: bytes.
TEST_F(TrainCommand, TheTokenizerFollowsTheCharacters) {
  std::string wide;
  for (unsigned n = 0; wide.size() < 4000; ++n) {
    const unsigned code = 0x4e00 + n * n % 1009;
    for (const unsigned byte : {0xe0 | code >> 12, 0x80 | (code >> 6 & 0x3f), 0x80 | (code & 0x3f)})
      wide += static_cast<char>(byte);
  }
  folder_.write("wide.txt", wide);
  const ProgramResult bpe = weft({"train", "wide.txt", "--num_steps", "1"});
  ASSERT_EQ(bpe.status, 0) << bpe.err;
  EXPECT_SAYS(bpe.out, "tokens are a BPE of 512, trained on the text\n");
  EXPECT_SAYS(test::file_text(folder_ / "out/wide.yaml"), "/out/wide.tokenizer/tokenizer.json\"");

  folder_.write("latin.txt", text(3000) + "caf\xe9\n");
  const ProgramResult bytes = weft({"train", "latin.txt", "--num_steps", "1"});
  ASSERT_EQ(bytes.status, 0) << bytes.err;
  EXPECT_SAYS(bytes.out, "tokens are bytes, since the text is not UTF-8\n");
}

TEST_F(TrainCommand, BadInputIsRefused) {
  folder_.write("empty.txt", "");
  folder_.write("short.txt", text(100));
  folder_.write("binary.txt", text(3000) + std::string(10, '\0'));
  EXPECT_SAYS(refusal({"train"}), "weft train: has no text. HINT: name one: weft train my.txt");
  EXPECT_SAYS(refusal({"train", "none.txt"}), "none.txt: does not exist. HINT: name a text");
  EXPECT_SAYS(refusal({"train", "."}), ".: is a folder. HINT: name one text");
  EXPECT_SAYS(refusal({"train", "empty.txt"}), "empty.txt: is empty. HINT: name a text");
  EXPECT_SAYS(refusal({"train", "short.txt"}), "too few to train on. HINT: name a text of at least 2000 bytes");
  EXPECT_SAYS(refusal({"train", "binary.txt"}), "binary.txt: is binary data, not a text. HINT: ");
  EXPECT_SAYS(refusal({"train", "short.txt", "--params", "x.yaml"}), "--params: does not apply to weft train");
  folder_.write("my.txt", text(3000));
  EXPECT_SAYS(refusal({"train", "my.txt", "--train_input.tokenizer", "byte"}),
              "--train_input.tokenizer: is chosen by weft train. HINT: leave it out");
  EXPECT_SAYS(refusal({"train", "my.txt", "--model_dir", "$NOT_THERE/x"}), "--model_dir: ");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

}  // namespace
}  // namespace weft::cli
