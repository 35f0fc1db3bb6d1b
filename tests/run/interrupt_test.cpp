/// Ctrl-C in every mode and phase: exit code 130, one line, no unfinished files.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/run/program.hpp"

namespace weft::test {
namespace {

constexpr const char* kNothing = "interrupted: there is nothing to save\n";
constexpr const char* kParams = R"(
train_input: {data_dir: corpus.txt, batch_size: 6, micro_batch_size: 2}
eval_input: {data_dir: corpus.txt}
model: {hidden_size: 8, num_hidden_layers: 1, num_heads: 2, filter_size: 16, max_sequence_length: 8, vocab_size: 14}
wafer: {rows: 2, cols: 2}
)";

class Interrupt : public testing::Test {
 protected:
  Interrupt() {
    std::string text;
    for (int i = 0; i < 20000; ++i) text += i % 13 == 12 ? '\n' : static_cast<char>('a' + i * i % 13);
    checkpoint::write_text(folder_ / "corpus.txt", text);
    checkpoint::write_text(folder_ / "params.yaml", kParams);
  }
  std::vector<std::string> words(std::vector<std::string> more, const std::string& params = "params.yaml") const {
    std::vector<std::string> all = {"run", "--params", folder_ / params, "--model_dir", folder_ / "out"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string errors() const { return folder_ / "errors.txt"; }
  void train() const {
    StartedProgram program(words({"--num_steps", "1"}), errors());
    ASSERT_EQ(program.wait(), 0) << program.errors();
  }

  checkpoint::TestFolder folder_{"interrupt_test"};
};

/// The parameter file is a pipe without a writer, so the program blocks while it reads the file.
TEST_F(Interrupt, WhileTheConfigurationIsReadEndsAtOnce) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  for (const std::string mode : {"train", "eval", "train_and_eval", "compile_only", "validate_only", "generate"}) {
    for (const int signal : {SIGINT, SIGTERM}) {
      StartedProgram program(words({"--mode", mode}, "pipe"), errors());
      // Opening the other end blocks until the program has opened its own.
      std::ofstream other(folder_ / "pipe");
      program.kill(signal);
      EXPECT_EQ(program.wait(), 130) << mode;
      EXPECT_EQ(program.errors(), kNothing) << mode;
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(Interrupt, WhileAnEvaluationRunsEndsAtOnce) {
  train();
  const auto before = folder_.names("out");
  StartedProgram program(words({"--mode", "eval", "--backend", "rtl"}), errors());
  for (std::string line; line.find("samples of 8 tokens") == std::string::npos;) ASSERT_TRUE(program.line(line));
  program.kill(SIGINT);
  EXPECT_EQ(program.wait(), 130);
  EXPECT_EQ(program.errors(), kNothing);
  EXPECT_EQ(folder_.names("out"), before);
}

/// The last step's evaluation would take minutes: it is cancelled, and the checkpoint is saved.
TEST_F(Interrupt, WhileATrainedModelIsEvaluatedSavesIt) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += checkpoint::text_of(folder_ / "corpus.txt");
  checkpoint::write_text(folder_ / "long.txt", text);
  for (int delay = 200;; delay *= 2) {  // until the second step, which takes a millisecond, is done
    std::filesystem::remove_all(folder_ / "out");
    StartedProgram program(
        words({"--mode", "train_and_eval", "--num_steps", "2", "--eval_input.data_dir", folder_ / "long.txt"}),
        errors());
    ASSERT_TRUE(program.reach(1)) << program.errors();
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    program.kill(SIGINT);
    EXPECT_EQ(program.wait(), 130);
    if (program.rest().find("interrupted after step 1") != std::string::npos && delay < 5000) continue;
    EXPECT_NE(program.rest().find("interrupted in the evaluation after the last step"), std::string::npos)
        << program.rest();
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out/checkpoint_2.safetensors"));
    return;
  }
}

/// The reader closes its end: `weft run ... | head`.
TEST_F(Interrupt, ClosedReaderEndsWithACheckpoint) {
  {
    StartedProgram program(words({"--num_steps", "1000000"}), errors());
    ASSERT_TRUE(program.reach(1));
    program.stop_reading();
    EXPECT_EQ(program.wait(), 2);
  }
  EXPECT_EQ(checkpoint::text_of(errors()).rfind("standard output: ", 0), 0U) << checkpoint::text_of(errors());
  bool saved = false;
  for (const std::string& name : folder_.names("out")) saved |= name.starts_with("checkpoint_");
  EXPECT_TRUE(saved);
}

TEST_F(Interrupt, WhileTextIsGeneratedEndsAtOnceWithTheTextSoFar) {
  train();
  StartedProgram program(words({"--mode", "generate", "--prompt", "ab\nb", "--runconfig.max_new_tokens", "100000000"}),
                         errors());
  std::string line, rest;
  ASSERT_TRUE(program.line(line));
  EXPECT_EQ(line, "ab");
  program.kill(SIGINT);
  bool more = true;
  while (more) {
    more = program.line(line);  // the last line has no newline
    rest += line;
  }
  EXPECT_EQ(rest.substr(0, 1), "b");
  EXPECT_EQ(program.wait(), 130);
  EXPECT_EQ(program.errors(), kNothing);
}

/// At any moment from the start to some steps later.
TEST_F(Interrupt, AtAnyMomentOfTrainingLeavesNothingUnfinished) {
  for (int delay = 0; delay < 40; delay += 2) {
    SCOPED_TRACE(delay);
    std::filesystem::remove_all(folder_ / "out");
    StartedProgram program(words({"--num_steps", "1000000", "--runconfig.checkpoint_steps", "1"}), errors());
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    program.kill(SIGINT);
    const int end = program.wait();
    const std::string said = program.errors();
    if (end == 128 + SIGINT) continue;  // the program had not begun
    EXPECT_EQ(end, 130);
    EXPECT_TRUE(
        said == kNothing ||
        said ==
            "interrupted: finishes this step, saves a checkpoint and ends; a second interrupt ends the run at once\n")
        << said;
    if (!std::filesystem::exists(folder_ / "out")) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "out")) {
      const std::string name = entry.path().filename();
      EXPECT_TRUE(name[0] != '.' || name == ".lock") << entry.path();
    }
    EXPECT_FALSE(std::filesystem::is_empty(folder_ / "out"));
    EXPECT_NE(folder_.names("out"), std::vector<std::string>{".lock"}) << "an empty new folder goes";
  }
}

}  // namespace
}  // namespace weft::test
