/// Ranks of MemoryX that are asked to end before the run has begun.
#include "tests/run/ranks/leaving_memory.hpp"

namespace weft::test {
namespace {

/// A run that waits for its second rank of MemoryX.
struct AwaitedMemory : LeavingMemory {
  AwaitedMemory() {
    for (const int rank : {0, 1, 3}) start(rank);
    const auto is_there = [&] {
      std::string why;
      const Json json = status_of(folder_ / "out", why);
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
  EXPECT_SAYS(checkpoint::text_of(folder_ / "root.txt"), "interrupted before a step was done");
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

/// True once the process handles termination signals as requests, which it does from the moment that it also handles
/// SIGPIPE.
bool is_asked(pid_t process) {
  const std::string status = checkpoint::text_of("/proc/" + std::to_string(process) + "/status");
  const std::size_t at = status.find("SigCgt:");
  return at != std::string::npos && (std::stoull(status.substr(at + 7), nullptr, 16) >> (SIGPIPE - 1) & 1) != 0;
}

/// A run whose root starts after its ranks of MemoryX.
struct EarlyMemory : LeavingMemory {
  void start_early(int rank) {
    start(rank);
    EXPECT_TRUE(soon([&] { return is_asked(ranks_[rank]->pid()); }));
  }
};

TEST_F(EarlyMemory, TellsTheRootThatStartsThen) {
  start_early(2);
  ranks_[2]->kill(SIGTERM);
  std::this_thread::sleep_for(500ms);  // time to leave
  for (const int rank : {0, 1, 3}) start(rank);
  EXPECT_EQ(ranks_[0]->wait(), 130) << ranks_[0]->errors();
  EXPECT_SAYS(ranks_[0]->errors(), "memory 1 on 127.0.0.1 was asked to end (SIGTERM)");
  EXPECT_EQ(ranks_[2]->wait(), 130) << ranks_[2]->errors();
  EXPECT_SAYS(checkpoint::text_of(folder_ / "out/logs/rank_2.log"), "leaves the run after SIGTERM\n");
  for (const int rank : {0, 2}) start(rank);
  expect_whole();
}

TEST_F(EarlyMemory, TellsTheNextRootToo) {
  start_all();
  reach(10);
  ranks_[0]->kill(SIGKILL);
  ranks_[0]->wait();
  EXPECT_TRUE(soon(
      [&] { return checkpoint::text_of(folder_ / "out/logs/rank_1.log").find("Trying again") != std::string::npos; }));
  ranks_[1]->kill(SIGUSR1);
  std::this_thread::sleep_for(500ms);  // time to leave
  start(0);
  EXPECT_EQ(ranks_[0]->wait(), 130) << ranks_[0]->errors();
  EXPECT_SAYS(ranks_[0]->errors(), "memory 0 on 127.0.0.1 was asked to end (SIGUSR1)");
  EXPECT_EQ(ranks_[1]->wait(), 130) << ranks_[1]->errors();
  for (const int rank : {0, 1}) start(rank);
  expect_whole();
}

TEST_F(EarlyMemory, LeavesARunWithoutARoot) {
  more_ = {"--swarmx.timeout", "2"};
  start_early(1);
  ranks_[1]->kill(SIGTERM);
  EXPECT_EQ(ranks_[1]->wait(), 130) << ranks_[1]->errors();
}

}  // namespace
}  // namespace weft::test
