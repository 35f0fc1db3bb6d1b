/// A folder in which the program is stopped and restarted.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <random>
#include <thread>

#include "host/checkpoint/checkpoint.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/checkpoint/run_folder.hpp"
#include "tests/run/program.hpp"
#include "tests/says.hpp"
#include "tests/small_run.hpp"
#include "tests/without_notes.hpp"

namespace weft::test {

using Names = std::vector<std::string>;

constexpr const char* kRestartParams = R"(
train_input: {data_dir: corpus.txt, batch_size: 6, micro_batch_size: 2}
model: {hidden_size: 8, num_hidden_layers: 1, num_heads: 2, filter_size: 16, max_sequence_length: 8, vocab_size: 14}
optimizer: {learning_rate: 0.01, max_gradient_norm: 1}
runconfig: {checkpoint_steps: 2, keep_checkpoint_max: 2}
wafer: {rows: 2, cols: 2}
swarmx: {fanout: 2}
)";
constexpr compiler::ModelShape kRestartModel{
    .vocab = 14, .hidden = 8, .layers = 1, .heads = 2, .filter = 16, .seq = 8, .tied = true};

class Restart : public testing::Test {
 protected:
  Restart() {
    checkpoint::write_text(folder_ / "corpus.txt", small_corpus());
    checkpoint::write_text(folder_ / "params.yaml", kRestartParams);
  }

  /// Command line of `weft run` in the folder `name`.
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
    StartedProgram program(words(name, steps, num_csx, more), errors());
    ASSERT_EQ(program.wait(), 0) << program.errors();
  }
  /// Expects the exit code `code` and a single line, which is returned.
  std::string refusal(const std::vector<std::string>& words, rlim_t max_file = 0, int code = 2) {
    StartedProgram program(words, errors(), max_file);
    EXPECT_EQ(program.wait(), code) << program.rest();
    const std::string line = without_notes_of_modes(program.errors());
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
    EXPECT_NE(line.find("HINT: "), std::string::npos) << line;
    return line;
  }

  /// The step of the newest checkpoint; -1: none.
  int newest(const std::string& name) const {
    int most = -1;
    for (const std::string& file : folder_.names(name)) {
      int step = 0;
      if (sscanf(file.c_str(), "checkpoint_%d.", &step) == 1) most = std::max(most, step);
    }
    return most;
  }
  std::string file(const std::string& name, int step) const {
    return checkpoint::checkpoint_file(folder_ / name, step);
  }
  /// A checkpoint's bytes without the header, which may contain a line that did not fit into the metrics file.
  std::string tensors(const std::string& name, int step) const {
    const std::string bytes = checkpoint::text_of(file(name, step));
    std::uint64_t header = 0;
    if (bytes.size() > sizeof header) std::memcpy(&header, bytes.data(), sizeof header);
    return bytes.size() > sizeof header + header ? bytes.substr(sizeof header + header) : "none";
  }
  std::string metrics(const std::string& name) const {
    return checkpoint::metrics_without(folder_ / name,
                                       {"seconds", "sim_cycles", "fpu_utilization", "edge_bytes", "crc32c"});
  }
  void expect_same_run(const std::string& a, const std::string& b, int steps) {
    EXPECT_TRUE(checkpoint::text_of(file(a, steps)) == checkpoint::text_of(file(b, steps))) << "step " << steps;
    EXPECT_EQ(metrics(a), metrics(b));
    expect_no_part(b);
  }
  void expect_no_part(const std::string& name) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / name)) {
      const std::string file = entry.path().filename();
      EXPECT_TRUE(file[0] != '.' || file == ".lock") << entry.path();
    }
  }
  /// Every file named checkpoint_* is complete.
  void expect_whole(const std::string& name) {
    if (!std::filesystem::exists(folder_ / name)) return;
    for (const std::string& entry : folder_.names(name)) {
      if (!entry.starts_with("checkpoint_")) continue;
      EXPECT_NO_THROW(
          checkpoint::load_checkpoint(folder_ / (name + "/" + entry), compiler::model_tensors(kRestartModel)));
    }
  }

  /// Kills a run of `steps` steps with SIGKILL `kills` times, spread over the run, sometimes while the program starts.
  void expect_kills_change_nothing(int kills, int steps, unsigned seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    run("whole", steps);
    int killed = 0;
    for (int k = 0; k < kills; ++k) {
      StartedProgram program(words("a", steps, 1 + static_cast<int>(random() % 3)), errors());
      if (random() % 4 != 0) program.reach(k * steps / kills);
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 20000));
      program.kill(SIGKILL);
      const int end = program.wait();
      EXPECT_TRUE(end == 128 + SIGKILL || end == 0) << end << program.errors();  // 0: already finished
      killed += end != 0;
      expect_whole("a");
    }
    EXPECT_GT(killed, 0);
    run("a", steps, 2);
    expect_same_run("whole", "a", steps);
  }

  checkpoint::TestFolder folder_{"restart_test"};
};

}  // namespace weft::test
