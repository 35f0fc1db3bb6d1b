/// Dynamic sparsity in a run of several processes: wafers get the plan of each mask update, and bits equal those of one
/// process.
#include <gtest/gtest.h>

#include "tests/run/restart.hpp"
#include "tests/swarmx/reserved_port.hpp"

namespace weft::test {
namespace {

class RankMaskUpdates : public Restart {
 protected:
  RankMaskUpdates() {
    checkpoint::write_text(folder_ / "key", std::string(64, 'k'));
    std::filesystem::permissions(folder_ / "key", std::filesystem::perms::owner_read);
  }
  /// Starts a rank: 0 is the root, 1 the data, 2 and 3 are wafers.
  std::unique_ptr<StartedProgram> start(int rank, int steps, Names more) {
    more.insert(more.end(), {"--swarmx.key_file", folder_ / "key", "--swarmx.timeout", "600"});
    return std::make_unique<StartedProgram>(
        words("ranks", steps, 2, more), folder_ / ("errors_" + std::to_string(rank)), 0, 0,
        Names{"RANK=" + std::to_string(rank), "WORLD_SIZE=4", "MASTER_ADDR=127.0.0.1",
              "MASTER_PORT=" + std::to_string(port_.number())},
        folder_ / ("out_" + std::to_string(rank)));
  }
  std::string lines(const std::string& name) const {
    return checkpoint::metrics_without(
        folder_ / name, {"seconds", "sim_cycles", "fpu_utilization", "edge_bytes", "crc32c", "repeated"});
  }

  swarmx::ReservedPort port_;
};

TEST_F(RankMaskUpdates, EndWithTheBitsOfOneProcess) {
  constexpr int kSteps = 13;
  const Names more = {"--sparsity.sparsity",    "0.8", "--sparsity.algorithm",   "rigl",
                      "--sparsity.update_freq", "5",   "--sparsity.update_stop", "20"};
  run("whole", kSteps, 1, more);
  std::vector<std::unique_ptr<StartedProgram>> ranks;
  for (int rank = 0; rank < 4; ++rank) ranks.push_back(start(rank, kSteps, more));
  for (const auto& rank : ranks) EXPECT_EQ(rank->wait(), 0) << rank->errors();
  EXPECT_EQ(lines("whole"), lines("ranks"));
  EXPECT_TRUE(checkpoint::load_checkpoint(file("whole", kSteps), compiler::model_tensors(kRestartModel)).mask ==
              checkpoint::load_checkpoint(file("ranks", kSteps), compiler::model_tensors(kRestartModel)).mask);
}

/// The wafers have completed the step: they join the swarm that continues without it, instead of exiting.
TEST_F(RankMaskUpdates, AStepWhoseLossJumpsIsSkippedOrGoneBackFromAsInOneProcess) {
  constexpr int kSteps = 12;
  for (const char* what : {"skip", "rollback"}) {
    const Names more = {"--runconfig.on_divergence",    what, "--runconfig.max_loss_jump", "0.1",
                        "--runconfig.checkpoint_steps", "2",  "--optimizer.learning_rate", "0.2"};
    run("whole", kSteps, 1, more);
    std::vector<std::unique_ptr<StartedProgram>> ranks;
    for (int rank = 0; rank < 4; ++rank) ranks.push_back(start(rank, kSteps, more));
    for (const auto& rank : ranks) EXPECT_EQ(rank->wait(), 0) << rank->errors();
    EXPECT_EQ(lines("whole"), lines("ranks")) << what;
    EXPECT_NE(lines("whole").find("skipped"), std::string::npos) << "no loss has jumped";
    for (const char* name : {"whole", "ranks"}) std::filesystem::remove_all(folder_ / name);
  }
}

/// No mask update waits for a wafer lost earlier: the timeout of ten minutes exceeds the test's limit.
TEST_F(RankMaskUpdates, AWaferThatWasLostIsNotWaitedFor) {
  constexpr int kSteps = 160;
  const Names more = {"--sparsity.sparsity",    "0.8", "--sparsity.algorithm",   "rigl",
                      "--sparsity.update_freq", "20",  "--sparsity.update_stop", "160"};
  run("whole", kSteps, 1, more);
  std::vector<std::unique_ptr<StartedProgram>> ranks;
  for (int rank = 0; rank < 4; ++rank) ranks.push_back(start(rank, kSteps, more));
  const std::string file = folder_ / "ranks/metrics.jsonl";
  while (!std::filesystem::exists(file) || std::filesystem::file_size(file) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ranks[3]->kill(SIGKILL);
  for (int rank = 0; rank < 3; ++rank) EXPECT_EQ(ranks[rank]->wait(), 0) << ranks[rank]->errors();
  EXPECT_EQ(lines("whole"), lines("ranks"));
}

}  // namespace
}  // namespace weft::test
