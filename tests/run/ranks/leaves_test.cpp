/// A rank of MemoryX is asked to end while the run is not: the root saves first, and no step is lost.
#include "tests/run/ranks/leaving_memory.hpp"

namespace weft::test {
namespace {

TEST_F(LeavingMemory, AfterACheckpointOfThisStepAndTheOthersWaitForTheNextRoot) {
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
  EXPECT_SAYS(said,
              "memory 1 on 127.0.0.1 was asked to end (SIGTERM): the run ends after this step and a checkpoint\n");
  EXPECT_SAYS(said, "rank 2, memory 1 on 127.0.0.1: leaves; ");
  EXPECT_SAYS(said, "memory 1 on 127.0.0.1 (SIGTERM) was asked to end, so the run ends. HINT: ");
  EXPECT_SAYS(checkpoint::text_of(folder_ / "root.txt"), "interrupted after step " + std::to_string(step));
  EXPECT_SAYS(ranks_[2]->errors(),
              "interrupted: asks the root to save and end the run; a second interrupt ends this rank at once\n");
  const std::string log = checkpoint::text_of(folder_ / "out/logs/rank_2.log");
  EXPECT_SAYS(log, "leaves the run after SIGTERM\n");
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
  ranks_[3]->kill(SIGSTOP);  // keeps the step incomplete until both signals have arrived
  ranks_[1]->kill(SIGTERM);
  EXPECT_TRUE(soon([&] { return ranks_[0]->errors().find("was asked to end") != std::string::npos; }));
  ranks_[0]->kill(SIGTERM);  // its first signal
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
  if (saved_step() == 0) {  // otherwise the root had already saved
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
  EXPECT_TRUE(soon([&] { return ranks_[0]->errors().find("was asked to end") != std::string::npos; }));
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
  EXPECT_TRUE(soon([&] { return ranks_[0]->errors().find("was asked to end") != std::string::npos; }));
  const rlimit limit{100'000, 100'000};  // room for metrics, but not for a checkpoint
  ASSERT_EQ(prlimit(ranks_[0]->pid(), RLIMIT_FSIZE, &limit, nullptr), 0);
  ranks_[3]->kill(SIGCONT);
  EXPECT_EQ(ranks_[0]->wait(), 2);
  EXPECT_SAYS(ranks_[0]->errors(), "cannot be written: File too large. HINT: raise the limit");
  EXPECT_EQ(ranks_[1]->wait(), 130) << ranks_[1]->errors();
  EXPECT_EQ(saved_step(), 0);
  start(0);
  start(1);
  expect_whole();
}

}  // namespace
}  // namespace weft::test
