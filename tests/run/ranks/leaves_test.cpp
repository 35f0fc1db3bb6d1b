/// A rank of MemoryX that is asked to end, and the run not: the root saves first, and no step is lost.
#include <gtest/gtest.h>

#include <chrono>

#include "host/checkpoint/model_folder.hpp"
#include "tests/run/ranks/seen_run.hpp"

namespace weft {
namespace {

using namespace std::chrono_literals;

/// gpt_tiny. Root, two ranks of MemoryX, a wafer; no checkpoint but at the end.
class LeavingMemory : public Restart {
 protected:
  static constexpr int kSteps = 80;

  LeavingMemory() {
    write_text(folder_ / "key", std::string(64, 'k'));
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
    const Names words = tiny(folder_ / "out", {"--swarmx.key_file", folder_ / "key", "--memoryx.ranks", "2"});
    ranks_[rank] = std::make_unique<StartedProgram>(words, folder_ / ("errors_" + std::to_string(started_++)), 0, 0,
                                                    environment, rank == 0 ? folder_ / "root.txt" : "/dev/null");
  }
  void start_all() {
    for (int rank = 0; rank < 4; ++rank) start(rank);
  }
  int lines(const std::string& name = "out") const {
    const std::string text = text_of(folder_ / (name + "/metrics.jsonl"));
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
    const auto files = ModelFolder::checkpoints_in(folder_ / "out");
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
    std::istringstream in(text_of(folder_ / (name + "/metrics.jsonl")));
    for (std::string line; std::getline(in, line);) {
      const Json json = Json::parse(line);
      result.push_back(json.at("step").dump() + " " + json.at("state_hash").get<std::string>());
    }
    return result;
  }
  /// All ranks are there again, and come to the end of a run in which nothing happened, each step in it once.
  void expect_whole() {
    for (int rank = 0; rank < 4; ++rank) EXPECT_EQ(ranks_[rank]->wait(), 0) << rank << ranks_[rank]->errors();
    StartedProgram whole(tiny(folder_ / "whole"), errors(), 0, 0, {}, "/dev/null");
    ASSERT_EQ(whole.wait(), 0) << whole.errors();
    EXPECT_EQ(hashes("out"), hashes("whole"));
    EXPECT_EQ(hashes("out").size(), static_cast<std::size_t>(kSteps));
    EXPECT_TRUE(tensors("out", kSteps) == tensors("whole", kSteps));
    expect_no_part("out");
  }

  Process ranks_[4];
  HeldPort port_;
  int started_ = 0;
};

TEST_F(LeavingMemory, AfterACheckpointOfTheStepThatTheRunIsAtAndTheOthersWaitForTheNextRoot) {
  start_all();
  reach(20);
  ranks_[2]->kill(SIGTERM);
  EXPECT_EQ(ranks_[0]->wait(), 130) << ranks_[0]->errors();
  EXPECT_EQ(ranks_[2]->wait(), 130) << ranks_[2]->errors();
  const int step = saved_step();
  EXPECT_GE(step, 20);
  EXPECT_LT(step, kSteps);
  EXPECT_EQ(step, lines());
  const std::string said = ranks_[0]->errors();
  EXPECT_SAYS(said, "memory 1 on 127.0.0.1 is asked to end (SIGTERM): this step and a checkpoint, then the end\n");
  EXPECT_SAYS(said, "rank 2, memory 1 on 127.0.0.1: leaves; ");
  EXPECT_SAYS(said, "memory 1 on 127.0.0.1 (SIGTERM) was asked to end, and the run ends with it. HINT: ");
  EXPECT_SAYS(text_of(folder_ / "root.txt"), "interrupted after step " + std::to_string(step));
  EXPECT_SAYS(ranks_[2]->errors(), "interrupted: tells the root, which saves and ends the run; once more: at once\n");
  const std::string log = text_of(folder_ / "out/logs/rank_2.log");
  EXPECT_SAYS(log, "leaves the run, asked to by SIGTERM\n");
  EXPECT_EQ(log.find("Trying again"), std::string::npos) << log;
  EXPECT_SAYS(status(), ": interrupted\n");
  EXPECT_SAYS(status(), "leaves: SIGTERM\n");
  start(0);
  start(2);
  expect_whole();
}

TEST_F(LeavingMemory, BothAtOnce) {
  start_all();
  reach(10);
  ranks_[1]->kill(SIGTERM);
  ranks_[2]->kill(SIGUSR1);
  for (const int rank : {0, 1, 2}) EXPECT_EQ(ranks_[rank]->wait(), 130) << rank << ranks_[rank]->errors();
  EXPECT_GE(saved_step(), 10);
  EXPECT_EQ(saved_step(), lines());
  for (const int rank : {0, 1, 2}) start(rank);
  expect_whole();
}

TEST_F(LeavingMemory, WhenTheRootIsSignalledTooAllAreSentHome) {
  start_all();
  reach(10);
  ranks_[3]->kill(SIGSTOP);  // the step is not at its end before both have heard
  ranks_[1]->kill(SIGTERM);
  EXPECT_TRUE(soon([&] { return ranks_[0]->errors().find("is asked to end") != std::string::npos; }));
  ranks_[0]->kill(SIGTERM);  // the first to it
  EXPECT_TRUE(soon([&] { return ranks_[0]->errors().find("interrupted: ") != std::string::npos; }));
  ranks_[3]->kill(SIGCONT);
  for (const int rank : {0, 1}) EXPECT_EQ(ranks_[rank]->wait(), 130) << rank << ranks_[rank]->errors();
  for (const int rank : {2, 3}) EXPECT_EQ(ranks_[rank]->wait(), 0) << rank << ranks_[rank]->errors();
  EXPECT_GE(saved_step(), 10);
  EXPECT_EQ(saved_step(), lines());
}

TEST_F(LeavingMemory, OneThatIsKilledBeforeTheRootHasSavedIsLost) {
  start_all();
  reach(10);
  ranks_[1]->kill(SIGTERM);
  ranks_[1]->kill(SIGKILL);
  EXPECT_EQ(ranks_[0]->wait(), 130) << ranks_[0]->errors();
  if (saved_step() == 0) {  // else the root had all by then
    EXPECT_SAYS(ranks_[0]->errors(), "memory 0 is lost");
  }
  start(0);
  start(1);
  expect_whole();
}

TEST_F(LeavingMemory, AtOnceWhenItIsAskedAgain) {
  start_all();
  reach(10);
  ranks_[3]->kill(SIGSTOP);
  ranks_[1]->kill(SIGTERM);
  EXPECT_TRUE(soon([&] { return ranks_[0]->errors().find("is asked to end") != std::string::npos; }));
  ranks_[1]->kill(SIGTERM);
  EXPECT_EQ(ranks_[1]->wait(), 130);
  EXPECT_EQ(ranks_[0]->wait(), 130);
  EXPECT_SAYS(ranks_[0]->errors(), "memory 0 is lost");
  EXPECT_EQ(saved_step(), 0);
}

TEST_F(LeavingMemory, AFullDiskEndsTheRootAsEver) {
  start_all();
  reach(10);
  ranks_[3]->kill(SIGSTOP);
  ranks_[1]->kill(SIGTERM);
  EXPECT_TRUE(soon([&] { return ranks_[0]->errors().find("is asked to end") != std::string::npos; }));
  const rlimit limit{100'000, 100'000};  // there is room for lines, and none for a checkpoint
  ASSERT_EQ(prlimit(ranks_[0]->pid(), RLIMIT_FSIZE, &limit, nullptr), 0);
  ranks_[3]->kill(SIGCONT);
  EXPECT_EQ(ranks_[0]->wait(), 2);
  EXPECT_SAYS(ranks_[0]->errors(), "cannot be written: File too large. HINT: make room");
  EXPECT_EQ(ranks_[1]->wait(), 130) << ranks_[1]->errors();
  EXPECT_EQ(saved_step(), 0);
  start(0);
  start(1);
  expect_whole();
}

/// Its second rank of MemoryX does not come.
struct AwaitedMemory : LeavingMemory {
  AwaitedMemory() {
    for (const int rank : {0, 1, 3}) start(rank);
    const auto is_there = [&] {
      const Json json = Json::parse(status({"--json"}), nullptr, false);
      return json.is_object() && of(json, 0).at("state") == "here" && of(json, 2).at("state") == "here";
    };
    EXPECT_TRUE(soon(is_there)) << status();
  }
  static const Json& of(const Json& status, std::size_t line) { return status.at("ranks").at(line); }
};

TEST_F(AwaitedMemory, IsInTheStatusOfARunThatHasNotBegun) {
  const Json json = Json::parse(status({"--json"}));
  EXPECT_EQ(json.at("step"), 0);
  EXPECT_EQ(json.at("at"), "wait");
  EXPECT_EQ(json.at("lives"), true);
  EXPECT_EQ(of(json, 1).at("state"), "awaited");
  EXPECT_EQ(of(json, 1).at("role"), "memory");
  EXPECT_EQ(of(json, 1).at("rank"), 2);
  EXPECT_GT(of(json, 1).at("since"), 1e9);
  const std::string table = status();
  EXPECT_SAYS(table, "0     root    MemoryX");
  EXPECT_SAYS(table, "awaited since 2");
  ranks_[0]->kill(SIGTERM);
  EXPECT_EQ(ranks_[0]->wait(), 130) << ranks_[0]->errors();
  for (const int rank : {1, 3}) EXPECT_EQ(ranks_[rank]->wait(), 0) << rank << ranks_[rank]->errors();
  EXPECT_SAYS(text_of(folder_ / "root.txt"), "interrupted before a step was done");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/status.json")) << "as of every run without a step";
}

TEST_F(AwaitedMemory, IsNotWaitedForWhenOneThatIsThereLeaves) {
  ranks_[1]->kill(SIGTERM);
  EXPECT_EQ(ranks_[0]->wait(), 130) << ranks_[0]->errors();
  EXPECT_SAYS(ranks_[0]->errors(), "memory 0 on 127.0.0.1 (SIGTERM) was asked to end before the run began");
  EXPECT_EQ(ranks_[1]->wait(), 130) << ranks_[1]->errors();
  for (const int rank : {0, 1, 2}) start(rank);
  expect_whole();
}

}  // namespace
}  // namespace weft
