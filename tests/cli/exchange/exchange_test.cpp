/// `weft export` and `weft import` through the program.
#include <cmath>
#include <cstring>

#include "host/checkpoint/safetensors.hpp"
#include "tests/cli/program.hpp"
#include "tests/says.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

class ExchangeTest : public testing::Test {
 protected:
  ExchangeTest() {
    write_small_run(folder_);
    const ProgramResult trained = weft({"run", "--params", "mine.yaml", "--model_dir", "out"});
    EXPECT_EQ(trained.status, 0) << trained.err;
  }
  ProgramResult weft(const std::vector<std::string>& words, const std::string& limit = "true") const {
    return run_program(folder_, words, limit);
  }
  std::string refusal(const std::vector<std::string>& words, const std::string& limit = "true") const {
    const ProgramResult result = weft(words, limit);
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_EQ(result.error_lines(), 1);
    return result.err;
  }
  ProgramResult to_hf(const std::vector<std::string>& more = {}, const std::string& limit = "true") const {
    std::vector<std::string> words = {"export", "--to", "hf", "hf", "--model_dir", "out"};
    words.insert(words.end(), more.begin(), more.end());
    return weft(words, limit);
  }
  /// The line "loss 2.31234, perplexity ..." of an evaluation.
  std::string loss_of(std::vector<std::string> words) const {
    words.insert(words.begin(),
                 {"run", "--params", "mine.yaml", "--mode", "eval", "--eval_input.data_dir", "corpus.txt"});
    const ProgramResult result = weft(words);
    EXPECT_EQ(result.status, 0) << result.err;
    const std::size_t at = result.out.find("loss ");
    return at == std::string::npos ? "none" : result.out.substr(at);
  }
  std::vector<std::string> names(const std::string& below = "") const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_ / below)) all.push_back(entry.path().filename().string());
    std::ranges::sort(all);
    return all;
  }
  std::string bits(const std::string& name) const { return test::file_text(folder_ / name); }

  test::TemporaryFolder folder_;
};

TEST_F(ExchangeTest, AFolderThatNoShellHasExpandedIsFound) {
  const std::string folder = folder_.path().string();
  EXPECT_EQ(weft({"export", "--to", "hf", "hf", "--model_dir=~/out"}, "export HOME=" + folder).status, 0);
  EXPECT_EQ(weft({"export", "--to", "hf", "hf", "--model_dir=$RUNS/out"}, "export RUNS=" + folder).status, 0);
}

TEST_F(ExchangeTest, AnExportedRunHasTheLossOfItsCheckpointAndRoundTripsBitForBit) {
  ASSERT_EQ(to_hf().status, 0);
  EXPECT_EQ(names("hf"),
            (std::vector<std::string>{"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}));
  EXPECT_EQ(loss_of({"--checkpoint_path", "hf"}), loss_of({"--model_dir", "out"}));
  const std::string before = bits("hf/model.safetensors");
  ASSERT_EQ(weft({"export", "--to", "hf", "again", "--params", "mine.yaml", "--checkpoint_path", "hf"}).status, 0);
  EXPECT_TRUE(bits("again/model.safetensors") == before);
}

TEST_F(ExchangeTest, ACheckpointOfLlmcHasTheLossOfItsRunAndRoundTripsByteForByte) {
  EXPECT_SAYS(refusal({"export", "--to", "llmc", "m.bin", "--model_dir", "out"}),
              "model.filter_size: is 16, but llm.c has 4 x hidden_size, 32");
  edit_run(folder_, "filter_size: 16", "filter_size: 32");
  ASSERT_EQ(weft({"run", "--params", "mine.yaml", "--model_dir", "wide"}).status, 0);
  ASSERT_EQ(weft({"export", "--to", "llmc", "m.bin", "--model_dir", "wide"}).status, 0);
  EXPECT_EQ(loss_of({"--checkpoint_path", "m.bin"}), loss_of({"--model_dir", "wide"}));
  ASSERT_EQ(weft({"export", "--to", "llmc", "again.bin", "--params", "mine.yaml", "--checkpoint_path", "m.bin"}).status,
            0);
  EXPECT_TRUE(bits("again.bin") == bits("m.bin"));
}

TEST_F(ExchangeTest, ARunContinuesFromAFolder) {
  ASSERT_EQ(to_hf().status, 0);
  std::ofstream(folder_ / "corpus.txt", std::ios::app) << "z";  // a new character: ids are still tokenizer.json's
  const std::string said = refusal({"run", "--params", "mine.yaml", "--checkpoint_path", "hf", "--model_dir", "new"});
  EXPECT_SAYS(said, "z");
  folder_.write("corpus.txt", test::small_corpus());
  const ProgramResult result = weft({"run", "--params", "mine.yaml", "--checkpoint_path", "hf", "--model_dir", "new"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_SAYS(result.out, "start   hf: weights only");
  EXPECT_EQ(result.out.find("no vocab.json"), std::string::npos);
}

TEST_F(ExchangeTest, TextForAnotherTokenizerKindIsRejected) {
  ASSERT_EQ(to_hf().status, 0);
  folder_.write("hf/tokenizer.json", R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})");
  EXPECT_SAYS(refusal({"run", "--params", "mine.yaml", "--checkpoint_path", "hf", "--model_dir", "new"}),
              "corpus.txt is text, and hf/tokenizer.json is not a usable tokenizer: has no pre-tokenizer ByteLevel");
  folder_.write("hf/tokenizer.json", "{");
  EXPECT_SAYS(refusal({"run", "--params", "mine.yaml", "--checkpoint_path", "hf", "--model_dir", "new"}),
              "hf/tokenizer.json: is not a tokenizer");
}

TEST_F(ExchangeTest, OnlyWhatItHasWrittenIsWrittenAgain) {
  folder_.write("hf/notes.txt", "mine");
  EXPECT_SAYS(to_hf().err, "hf: exists and has a file that weft export does not write: notes.txt");
  fs::remove_all(folder_ / "hf");
  folder_.write("hf/config.json", R"({"model_type": "gpt2"})");
  EXPECT_SAYS(to_hf().err, "hf: exists and was not written by weft export");
  fs::remove_all(folder_ / "hf");
  EXPECT_EQ(to_hf({"--dtype", "bf16"}).status, 0);
  const std::string half = bits("hf/model.safetensors");
  EXPECT_EQ(to_hf().status, 0);
  EXPECT_GT(bits("hf/model.safetensors").size(), half.size());
  EXPECT_SAYS(refusal({"export", "--to", "llmc", "corpus.txt", "--model_dir", "out"}),
              "corpus.txt: exists and is not a checkpoint of llm.c");
}

TEST_F(ExchangeTest, AFullDiskLeavesNothing) {
  const std::vector<std::string> before = names();
  const ProgramResult full = to_hf({}, "ulimit -f 2");
  EXPECT_EQ(full.status, 2);
  EXPECT_SAYS(full.err, "hf/model.safetensors: cannot be written");
  EXPECT_SAYS(full.err, "HINT: raise the limit on the size of a file (ulimit -f), or name another file system.");
  std::vector<std::string> after = names();
  std::erase(after, "stdout"), std::erase(after, "stderr");
  std::vector<std::string> expected = before;
  std::erase(expected, "stdout"), std::erase(expected, "stderr");
  EXPECT_EQ(after, expected);
  EXPECT_EQ(to_hf().status, 0) << "without the limit";
}

TEST_F(ExchangeTest, ErrorsSayWhatToDo) {
  EXPECT_SAYS(refusal({"export", "--model_dir", "out"}), "--to: missing. HINT: write --to hf DIR, or --to llmc FILE.");
  EXPECT_SAYS(refusal({"export", "--to", "onnx", "x", "--model_dir", "out"}), "onnx is neither hf nor llmc");
  EXPECT_SAYS(refusal({"export", "--to", "hf", "--model_dir", "out"}), "has no place to write to");
  EXPECT_SAYS(refusal({"export", "--to", "hf", "x"}), "name the folder of a run, --model_dir DIR");
  EXPECT_SAYS(refusal({"export", "--to", "hf", "x", "--model_dir", "none"}), "there is no none/train/params.yaml");
  EXPECT_SAYS(refusal({"export", "--to", "hf", "x", "--model_dir=$NONE/out"}),
              "command line: runconfig.model_dir: names the variable NONE, which is not set");
  EXPECT_SAYS(refusal({"export", "--to", "hf", "x", "--model_dir", "out", "--dtype", "int8"}), "int8 is not fp32");
  EXPECT_SAYS(refusal({"export", "--to", "llmc", "x", "--model_dir", "out", "--dtype", "fp16"}),
              "fp16 is not supported");
  EXPECT_SAYS(refusal({"import"}), "has nothing to read");
  EXPECT_SAYS(refusal({"import", "hf"}), "--out: missing");
  EXPECT_SAYS(refusal({"import", "hf", "--out", "x.yaml"}), "--train_input.data_dir: missing");
  EXPECT_SAYS(refusal({"import", "hf", "--out", "mine.yaml", "--train_input.data_dir", "corpus.txt"}), "exists");
  EXPECT_SAYS(refusal({"import", "out", "--out", "x.yaml", "--train_input.data_dir", "corpus.txt"}),
              "out: is the folder of a run, which needs no import. HINT: weft run --params out/train/params.yaml");
  EXPECT_SAYS(refusal({"run", "--params", "mine.yaml", "--logits", "x"}), "--logits: applies to mode eval");
}

TEST_F(ExchangeTest, ImportWritesTheParameterFileThatEvaluatesTheFolder) {
  ASSERT_EQ(to_hf().status, 0);
  const ProgramResult made = weft({"import", "hf", "--out", "new/../theirs.yaml", "--train_input.data_dir",
                                   "corpus.txt", "--eval_input.data_dir", "corpus.txt"});
  EXPECT_EQ(made.status, 2) << "there is no folder new";
  ASSERT_EQ(weft({"import", "hf", "--out", "theirs.yaml", "--train_input.data_dir", "corpus.txt",
                  "--eval_input.data_dir", "corpus.txt"})
                .status,
            0);
  const ProgramResult result = weft({"run", "--params", "theirs.yaml", "--mode", "eval"});
  EXPECT_EQ(result.status, 0) << result.err;
  const std::string expected = loss_of({"--model_dir", "out"});
  EXPECT_SAYS(result.out, expected);
}

/// Default settings, a rate of 1e-3 without warm-up, raise the loss of these weights.
TEST_F(ExchangeTest, TheImportedFileFineTunesWithoutAHigherLoss) {
  ASSERT_EQ(weft({"run", "--params", "mine.yaml", "--model_dir", "long", "--num_steps", "150"}).status, 0);
  ASSERT_EQ(weft({"export", "--to", "hf", "long.hf", "--model_dir", "long"}).status, 0);
  ASSERT_EQ(weft({"import", "long.hf", "--out", "tune.yaml", "--train_input.data_dir", "corpus.txt",
                  "--eval_input.data_dir", "corpus.txt"})
                .status,
            0);
  const auto loss = [&](const std::string& folder) {
    const ProgramResult result = weft({"run", "--params", "tune.yaml", "--model_dir", folder, "--mode", "eval"});
    EXPECT_EQ(result.status, 0) << result.err;
    const std::size_t at = result.out.find("loss ");
    return at == std::string::npos ? std::nan("") : std::stod(result.out.substr(at + 5));
  };
  const double before = loss("none");
  ASSERT_EQ(weft({"run", "--params", "tune.yaml", "--model_dir", "tuned", "--num_steps", "40"}).status, 0);
  EXPECT_LE(loss("tuned"), before + 0.002);
}

TEST_F(ExchangeTest, ImportNamesTheFoldersTokenizerSoThatTheFileTrainsOnText) {
  ASSERT_EQ(weft({"tokenizer", "train", "corpus.txt", "--vocab_size", "260", "--out", "tok"}).status, 0);
  const auto train = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"run", "--num_steps", "1"});
    const ProgramResult result = weft(words);
    EXPECT_EQ(result.status, 0) << result.err;
  };
  for (const std::string kind : {"bpe", "byte"}) {
    std::vector<std::string> words = {"--params", "mine.yaml",          "--model_dir", kind, "--train_input.tokenizer",
                                      kind,       "--model.vocab_size", "260"};
    if (kind == "bpe") words.insert(words.end(), {"--train_input.vocab_file", "tok/tokenizer.json"});
    train(words);
    ASSERT_EQ(weft({"export", "--to", "hf", kind + ".hf", "--model_dir", kind}).status, 0);
    ASSERT_EQ(weft({"import", kind + ".hf", "--out", kind + ".yaml", "--train_input.data_dir", "corpus.txt"}).status,
              0);
    EXPECT_SAYS(bits(kind + ".yaml"), "tokenizer: \"" + kind + "\"");
    train({"--params", kind + ".yaml", "--model_dir", kind + "2"});
  }
}

/// For a run that began with imported weights, the export must hold the trained weights, not the initial ones.
TEST_F(ExchangeTest, ARunThatBeganWithAFolderIsExportedAsItIsNow) {
  ASSERT_EQ(to_hf().status, 0);
  edit_run(folder_, "  max_steps: 3\n", "  max_steps: 3\n  checkpoint_path: hf\n");
  ASSERT_EQ(weft({"run", "--params", "mine.yaml", "--model_dir", "tuned"}).status, 0);
  const ProgramResult tuned = weft({"export", "--to", "hf", "tuned.hf", "--model_dir", "tuned"});
  EXPECT_SAYS(tuned.out, "weights tuned/checkpoint_3.safetensors: step 3");
  EXPECT_NE(bits("tuned.hf/model.safetensors"), bits("hf/model.safetensors"));
  const std::string now = loss_of({"--checkpoint_path", "tuned/checkpoint_3.safetensors"});
  EXPECT_EQ(loss_of({"--model_dir", "tuned"}), now);
  EXPECT_EQ(loss_of({"--params", "tuned/train/params.yaml"}), now);
  const std::string before = loss_of({"--checkpoint_path", "hf"});
  EXPECT_NE(before, now);
  EXPECT_EQ(loss_of({"--checkpoint_path", "hf", "--model_dir", "tuned"}), before);
  EXPECT_EQ(loss_of({}), before) << "both are the file's";
  EXPECT_EQ(loss_of({"--model_dir", "new"}), before) << "nothing is there";
  fs::remove_all(folder_ / "hf");
  EXPECT_EQ(weft({"export", "--to", "hf", "again.hf", "--model_dir", "tuned"}).status, 0);
  EXPECT_EQ(bits("again.hf/model.safetensors"), bits("tuned.hf/model.safetensors"));
}

TEST_F(ExchangeTest, AFileOfAnotherKindIsNotReplaced) {
  for (const auto& [flag, mode] : {std::pair("--logits", "eval"), std::pair("--save", "compile_only")}) {
    std::vector<std::string> words = {"run",    "--params", "mine.yaml", "--model_dir", "out",
                                      "--mode", mode,       flag,        "mine.yaml"};
    if (flag == std::string("--logits")) words.insert(words.end(), {"--eval_input.data_dir", "corpus.txt"});
    const std::string before = bits("mine.yaml");
    EXPECT_SAYS(refusal(words), "mine.yaml: exists with other content, which would be lost");
    EXPECT_EQ(bits("mine.yaml"), before);
    words[8] = "again";
    for (int twice = 0; twice < 2; ++twice) EXPECT_EQ(weft(words).status, 0) << "one of its kind is replaced";
    fs::remove(folder_ / "again");
  }
}

TEST_F(ExchangeTest, LogitsAreThoseOfEveryPosition) {
  const ProgramResult result =
      weft({"run", "--params", "mine.yaml", "--mode", "eval", "--model_dir", "out", "--eval_input.data_dir",
            "corpus.txt", "--eval_input.batch_size", "3", "--runconfig.eval_steps", "1", "--logits", "l.safetensors"});
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string bytes = bits("l.safetensors");
  const checkpoint::Safetensors file =
      checkpoint::parse_safetensors({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "l");
  ASSERT_EQ(file.tensors.size(), 3U);
  EXPECT_EQ(file.tensors[2].shape, (std::vector<std::uint64_t>{3, 8, 14}));
  const auto* labels = reinterpret_cast<const std::int32_t*>(file.tensors[1].data.data());
  std::vector<float> logits(3 * 8 * 14);
  std::memcpy(logits.data(), file.tensors[2].data.data(), 4 * logits.size());
  double loss = 0;
  for (std::size_t t = 0; t < 24; ++t) {
    double sum = 0;
    for (std::size_t v = 0; v < 14; ++v) sum += std::exp(double{logits[t * 14 + v]});
    loss += (std::log(sum) - logits[t * 14 + static_cast<std::size_t>(labels[t])]) / 24;
  }
  const std::size_t at = result.out.find("loss ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_NEAR(std::stod(result.out.substr(at + 5)), loss, 0.01);
}

}  // namespace
}  // namespace weft::cli
