/// Nodes of the tree as ranks: a run with them gives the same bits as one process, even if one of them is killed.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/run/ranks/seen_run.hpp"

namespace weft::test {
namespace {

const Names kSixMicroBatches = {"--train_input.micro_batch_size", "1"};

/// Root, data, two nodes, four wafers.
class NodeRanks : public SeenRun {
 protected:
  NodeRanks() : SeenRun(2, 4, kSixMicroBatches) {
    for (int rank = 0; rank < 8; ++rank) all_.push_back(start(rank));
  }
  static bool is_here(const Json& status, int rank) { return of(status, rank).at("state") == "here"; }
  /// Number of connected wafers below `node`; empty: below the root.
  static int below(const Json& status, const std::string& node) {
    int count = 0;
    for (int rank = 4; rank < 8; ++rank) count += is_here(status, rank) && of(status, rank).at("node") == node ? 1 : 0;
    return count;
  }
  /// Interrupts the run; each process must exit normally, and one process must reach the same weights.
  void expect_bits_of_one_process() {
    all_[0]->kill(SIGUSR1);
    EXPECT_EQ(all_[0]->wait(), 130) << all_[0]->errors();
    for (std::size_t rank = 1; rank < all_.size(); ++rank) EXPECT_EQ(all_[rank]->wait(), 0) << all_[rank]->errors();
    const int steps = when([](const Json& now) { return !now.at("end").is_null(); }).at("step");
    run("whole", steps, 1, kSixMicroBatches);
    EXPECT_NE(tensors("whole", steps), "none");
    EXPECT_TRUE(tensors("out", steps) == tensors("whole", steps)) << "after step " << steps;
  }

  std::vector<Process> all_;
};

TEST_F(NodeRanks, ARunThroughTwoNodesHasTheBitsOfOneProcess) {
  const Json status = when(
      [](const Json& now) { return now.at("step") > 20 && below(now, "node 0") == 2 && below(now, "node 1") == 2; });
  for (int rank = 2; rank <= 3; ++rank) {
    EXPECT_EQ(of(status, rank).at("role"), "node");
    EXPECT_EQ(of(status, rank).at("name"), "node " + std::to_string(rank - 2));
    EXPECT_EQ(of(status, rank).at("host"), "127.0.0.1");
    EXPECT_GT(of(status, rank).at("micro_batches"), 20);
    EXPECT_GT(of(status, rank).at("bytes_to"), 0);
    EXPECT_GT(of(status, rank).at("bytes_from"), 0);
  }
  when([](const Json& now) {  // the nodes report the traffic of their wafers' connections
    return std::ranges::all_of(now.at("ranks"), [](const Json& line) {
      return line.at("role") != "wafer" ||
             (line.at("bytes_to").get<int>() > 1000 && line.at("bytes_from").get<int>() > 1000);
    });
  });
  EXPECT_SAYS(this->status(), "3     node   node 1   127.0.0.1");
  EXPECT_SAYS(this->status(), "here below node 1");
  expect_bits_of_one_process();
  EXPECT_SAYS(log(2), "node 0 has joined");
}

TEST_F(NodeRanks, AKilledNodesWafersContinueElsewhereAndItRejoins) {
  when([](const Json& now) { return now.at("step") > 10 && below(now, "node 0") == 2; });
  all_[2]->kill(SIGKILL);
  const Json lost = when([](const Json& now) { return of(now, 2).at("state") == "lost" && below(now, "node 1") == 4; });
  EXPECT_SAYS(of(lost, 2).at("why"), "node 0 closed its connection");
  const auto then = lost.at("step").get<int>();
  when([&](const Json& now) { return now.at("step") > then + 10; });
  all_[2] = start(2);
  when([](const Json& now) { return is_here(now, 2); });
  all_[3]->kill(SIGKILL);  // the parent of all wafers
  const Json other = when([](const Json& now) { return below(now, "node 0") == 4 && is_here(now, 2); });
  EXPECT_EQ(of(other, 2).at("losses"), 1);
  const auto next = other.at("step").get<int>();
  when([&](const Json& now) { return now.at("step") > next + 10; });
  all_[2]->kill(SIGKILL);  // no node remains
  when([](const Json& now) { return below(now, "") == 4; });
  for (const int rank : {2, 3}) all_[static_cast<std::size_t>(rank)] = start(rank);
  when([](const Json& now) { return is_here(now, 2) && is_here(now, 3); });
  expect_bits_of_one_process();
}

TEST_F(NodeRanks, AKilledRootsNodesAndWafersComeToTheNext) {
  when([](const Json& now) { return now.at("step") > 60 && below(now, "node 0") == 2; });
  all_[0]->kill(SIGKILL);
  all_[0]->wait();
  all_[0] = start(0);
  when([](const Json& now) {
    return now.at("lives") == true && now.at("step") > 70 && below(now, "node 0") == 2 && below(now, "node 1") == 2;
  });
  expect_bits_of_one_process();
}

}  // namespace
}  // namespace weft::test
