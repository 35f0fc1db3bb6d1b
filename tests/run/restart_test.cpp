/// The program stopped in every way there is, and started again.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "host/checkpoint/checkpoint.hpp"
#include "sw/compiler/tensors.hpp"
#include "tests/checkpoint/run_folder.hpp"
#include "tests/run/program.hpp"

namespace weft {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kParams = R"(
train_input: {data_dir: corpus.txt, batch_size: 6, micro_batch_size: 2}
model: {hidden_size: 8, num_hidden_layers: 1, num_heads: 2, filter_size: 16, max_sequence_length: 8, vocab_size: 14}
optimizer: {learning_rate: 0.01, max_gradient_norm: 1}
runconfig: {checkpoint_steps: 2, keep_checkpoint_max: 2}
wafer: {rows: 2, cols: 2}
swarmx: {fanout: 2}
)";
constexpr ModelShape kModel{.vocab = 14, .hidden = 8, .layers = 1, .heads = 2, .filter = 16, .seq = 8, .tied = true};

class Restart : public testing::Test {
 protected:
  Restart() {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += static_cast<char>('a' + i * i % 13);
    write_text(folder_ / "corpus.txt", text);
    write_text(folder_ / "params.yaml", kParams);
  }

  /// `weft run` in the folder `name`.
  std::vector<std::string> words(const std::string& name, int steps, int num_csx = 1, Names more = {}) const {
    std::vector<std::string> result = {"run",
                                       "--params",
                                       folder_ / "params.yaml",
                                       "--model_dir",
                                       folder_ / name,
                                       "--num_steps",
                                       std::to_string(steps),
                                       "--num_csx",
                                       std::to_string(num_csx)};
    result.insert(result.end(), more.begin(), more.end());
    return result;
  }
  std::string errors() const { return folder_ / "errors.txt"; }
  void run(const std::string& name, int steps, int num_csx = 1, const Names& more = {}) {
    Program program(words(name, steps, num_csx, more), errors());
    ASSERT_EQ(program.wait(), 0) << program.errors();
  }
  /// Must end with 2 and say one line, which this returns.
  std::string refusal(const std::vector<std::string>& words, rlim_t max_file = 0) {
    Program program(words, errors(), max_file);
    EXPECT_EQ(program.wait(), 2) << program.rest();
    const std::string line = program.errors();
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
    EXPECT_NE(line.find("HINT: "), std::string::npos) << line;
    return line;
  }

  std::string file(const std::string& name, int step) const { return checkpoint_file(folder_ / name, step); }
  std::string metrics(const std::string& name) const {
    return metrics_without(folder_ / name, {"seconds", "sim_cycles", "fpu_utilization"});
  }
  void expect_same_run(const std::string& a, const std::string& b, int steps) {
    EXPECT_EQ(text_of(file(a, steps)), text_of(file(b, steps)));
    EXPECT_EQ(metrics(a), metrics(b));
    expect_no_part(b);
  }
  void expect_no_part(const std::string& name) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / name)) {
      const std::string file = entry.path().filename();
      EXPECT_TRUE(file[0] != '.' || file == ".lock") << entry.path();
    }
  }
  /// Every file that is called a checkpoint is a whole one.
  void expect_whole(const std::string& name) {
    if (!std::filesystem::exists(folder_ / name)) return;
    for (const std::string& entry : folder_.names(name)) {
      if (!entry.starts_with("checkpoint_")) continue;
      EXPECT_NO_THROW(load_checkpoint(folder_ / (name + "/" + entry), gpt2_tensors(kModel)));
    }
  }

  /// kill -9 at `kills` moments of a run that is `steps` long, spread over it: some while the program starts.
  void expect_kills_change_nothing(int kills, int steps, unsigned seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    run("whole", steps);
    int killed = 0;
    for (int k = 0; k < kills; ++k) {
      Program program(words("a", steps, 1 + static_cast<int>(random() % 3)), errors());
      if (random() % 4 != 0) program.reach(k * steps / kills);
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 20000));
      program.kill(SIGKILL);
      const int end = program.wait();
      EXPECT_TRUE(end == 128 + SIGKILL || end == 0) << end << program.errors();  // 0: a fast machine was done
      killed += end != 0;
      expect_whole("a");
    }
    EXPECT_GT(killed, 0);
    run("a", steps, 2);
    expect_same_run("whole", "a", steps);
  }

  TestFolder folder_{"restart_test"};
};

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(Restart, KilledAtFiveMomentsTheRunEndsInTheSameState) { expect_kills_change_nothing(5, 200, 1); }

TEST_F(Restart, OnRtlWafersAfterModelWafersAndBackIsTheSameRun) {
  run("whole", 6);
  run("a", 2);
  run("a", 4, 2, {"--backend", "rtl"});
  run("a", 6, 3);
  expect_same_run("whole", "a", 6);
}

TEST_F(Restart, CtrlCSavesAndTheRunGoesOn) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string name = "a" + std::to_string(signal);
    Program program(words(name, 1000000), errors());
    ASSERT_TRUE(program.reach(3));
    program.kill(signal);
    EXPECT_EQ(program.wait(), 130);
    int done = 0;
    const std::size_t at = program.rest().find("interrupted after step ");
    ASSERT_NE(at, std::string::npos) << program.rest();
    ASSERT_EQ(sscanf(program.rest().c_str() + at, "interrupted after step %d", &done), 1);
    EXPECT_SAYS(program.rest(), file(name, done));
    expect_no_part(name);
    run(name, done + 3);
    run(name + "_whole", done + 3);
    expect_same_run(name + "_whole", name, done + 3);
  }
}

TEST_F(Restart, ASecondCtrlCIsTheEnd) {
  // One step of this is far longer than the test.
  auto all = words("a", 10, 1,
                   {"--train_input.batch_size", "8192", "--model.num_hidden_layers", "20", "--wafer.sram_kib", "128"});
  all[2] = WEFT_CONFIGS "/gpt_tiny.yaml";
  Program program(all, errors());
  for (std::string line; line.find("state hash") == std::string::npos;) ASSERT_TRUE(program.line(line));
  program.kill(SIGINT);
  while (program.errors().find("once more: at once") == std::string::npos) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  program.kill(SIGTERM);
  EXPECT_EQ(program.wait(), 130);
  for (const std::string& entry : folder_.names("a")) EXPECT_FALSE(entry.starts_with("checkpoint_")) << entry;
  expect_no_part("a");
  run("a", 2);
}

TEST_F(Restart, ASecondRunInTheSameFolderIsRefused) {
  Program first(words("a", 1000000), errors());
  ASSERT_TRUE(first.reach(1));
  EXPECT_EQ(refusal(words("a", 5)), folder_ / "a" + ": is in use by process " + std::to_string(first.pid()) +
                                        ". HINT: wait for its end, or set another runconfig.model_dir.\n");
  EXPECT_TRUE(first.reach(3));
}

TEST_F(Restart, AFolderThatCannotBeWrittenIsRefusedBeforeTraining) {
  write_text(folder_ / "file", "x");
  EXPECT_SAYS(refusal(words("file", 5)), folder_ / "file" + ": is no folder. HINT: set runconfig.model_dir to");
  EXPECT_SAYS(refusal(words("file/below", 5)), folder_ / "file/below" + ": cannot be made: Not a directory");
  EXPECT_EQ(text_of(folder_ / "file"), "x");
}

TEST_F(Restart, WhatIsWrongWithTheDataLeavesNoFolderBehind) {
  write_text(folder_ / "corpus.txt", "");
  refusal(words("a", 5));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a"));
}

TEST_F(Restart, ADiskThatIsFullLeavesTheLastCheckpointWhole) {
  run("a", 4);
  const auto size = std::filesystem::file_size(file("a", 4));
  run("whole", 8);
  // No room for a whole checkpoint; then none for a line of metrics either.
  EXPECT_SAYS(refusal(words("a", 8), size - 1), file("a", 6) + ": cannot be written: File too large. HINT: make room");
  expect_no_part("a");
  EXPECT_SAYS(refusal(words("a", 8), std::filesystem::file_size(folder_ / "a/metrics.jsonl") - 1), "cannot be written");
  expect_no_part("a");
  EXPECT_EQ(std::filesystem::file_size(file("a", 4)), size);
  expect_whole("a");
  run("a", 8);
  expect_same_run("whole", "a", 8);
}

// Minutes: only in `make test-long`.
class RestartLong : public Restart {};

TEST_F(RestartLong, KilledAtFiftyMomentsTheRunEndsInTheSameState) { expect_kills_change_nothing(50, 1500, 2); }

TEST_F(RestartLong, TenStepsOfTinyAreFiveOnModelAndFiveOnRtlWafers) {
  const auto tiny = [&](const std::string& name, int steps, int num_csx, const std::string& backend) {
    std::vector<std::string> all = words(name, steps, num_csx, {"--backend", backend});
    all[2] = WEFT_CONFIGS "/gpt_tiny.yaml";
    Program program(all, errors());
    ASSERT_EQ(program.wait(), 0) << program.errors();
  };
  tiny("whole", 10, 1, "model");
  tiny("a", 5, 3, "model");
  tiny("a", 10, 4, "rtl");
  expect_same_run("whole", "a", 10);
  tiny("b", 5, 2, "rtl");
  tiny("b", 10, 1, "model");
  expect_same_run("whole", "b", 10);
}

}  // namespace
}  // namespace weft
