/// A run with ranks of MemoryX that tests ask to end.
#pragma once

#include <gtest/gtest.h>

#include <chrono>

#include "host/checkpoint/model_folder.hpp"
#include "tests/run/ranks/seen_run.hpp"

namespace weft::test {

using namespace std::chrono_literals;

/// gpt_tiny with a root, two ranks of MemoryX and a wafer; a checkpoint only at the end.
class LeavingMemory : public Restart {
 protected:
  static constexpr int kSteps = 50;

  LeavingMemory() {
    checkpoint::write_text(folder_ / "key", std::string(64, 'k'));
    std::filesystem::permissions(folder_ / "key", std::filesystem::perms::owner_read);
  }
  static Names tiny(const std::string& model_dir, const Names& more = {}) {
    Names words = {
        "run",     "--params",    WEFT_CONFIGS "/gpt_tiny.yaml", "--backend", "model", "--model_dir",
        model_dir, "--num_steps", std::to_string(kSteps),        "--num_csx", "1",     "--runconfig.checkpoint_steps",
        "1000000"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  void start(int rank) {
    const Names environment = {"RANK=" + std::to_string(rank), "WORLD_SIZE=4", "MASTER_ADDR=127.0.0.1",
                               "MASTER_PORT=" + std::to_string(port_.number())};
    Names words = tiny(folder_ / "out", {"--swarmx.key_file", folder_ / "key", "--memoryx.ranks", "2"});
    words.insert(words.end(), more_.begin(), more_.end());
    ranks_[rank] = std::make_unique<StartedProgram>(words, folder_ / ("errors_" + std::to_string(started_++)), 0, 0,
                                                    environment, rank == 0 ? folder_ / "root.txt" : "/dev/null");
  }
  void start_all() {
    for (int rank = 0; rank < 4; ++rank) start(rank);
  }
  int lines(const std::string& name = "out") const {
    const std::string text = checkpoint::text_of(folder_ / (name + "/metrics.jsonl"));
    return static_cast<int>(std::ranges::count(text, '\n'));
  }
  template <class Ready>
  static bool soon(const Ready& ready) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (!ready() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(5ms);
    return ready();
  }
  void reach(int step) {
    ASSERT_TRUE(soon([&] { return std::filesystem::exists(folder_ / "out/metrics.jsonl") && lines() >= step; }))
        << ranks_[0]->errors();
  }
  int saved_step() const {
    const auto files = checkpoint::ModelFolder::checkpoints_in(folder_ / "out");
    return files.empty() ? 0 : static_cast<int>(files.front().step);
  }
  std::string status(const Names& more = {}) {
    Names words = {"status", "--model_dir", folder_ / "out"};
    words.insert(words.end(), more.begin(), more.end());
    StartedProgram program(words, folder_ / "status_errors");
    return program.wait() == 0 ? program.rest() : program.errors();
  }
  Names hashes(const std::string& name) const {
    Names result;
    std::istringstream in(checkpoint::text_of(folder_ / (name + "/metrics.jsonl")));
    for (std::string line; std::getline(in, line);) {
      const Json json = Json::parse(line);
      result.push_back(json.at("step").dump() + " " + json.at("state_hash").get<std::string>());
    }
    return result;
  }
  /// Checks that all ranks end well, and that the run equals an undisturbed one, with each step once.
  void expect_whole() {
    for (int rank = 0; rank < 4; ++rank) EXPECT_EQ(ranks_[rank]->wait(), 0) << rank << ranks_[rank]->errors();
    StartedProgram whole(tiny(folder_ / "whole"), errors(), 0, 0, {}, "/dev/null");
    ASSERT_EQ(whole.wait(), 0) << whole.errors();
    EXPECT_EQ(hashes("out"), hashes("whole"));
    EXPECT_EQ(hashes("out").size(), static_cast<std::size_t>(kSteps));
    EXPECT_TRUE(tensors("out", kSteps) == tensors("whole", kSteps));
    expect_no_part("out");
  }

  Names more_;  // further arguments of each rank's command
  Process ranks_[4];
  swarmx::ReservedPort port_;
  int started_ = 0;
};

}  // namespace weft::test
