/// A single thread of a rank of MemoryX is stopped: the process still sends heartbeats, reports that it hangs, and
/// ends. The run ends with it, and continues from its last checkpoint.
#include <gtest/gtest.h>

#include "tests/run/ranks/seen_run.hpp"
#include "tests/run/ranks/stopped_thread.hpp"

namespace weft::test {
namespace {

/// Root, data, a rank of MemoryX, a wafer. The parameter is the name of the thread.
struct MemoryHang : SeenRun, testing::WithParamInterface<const char*> {
  MemoryHang() : SeenRun(0, 1, {"--swarmx.silence", "1", "--memoryx.threads", "1"}, 1) {}
};

TEST_P(MemoryHang, ARankOfMemoryXOfWhichAThreadIsStoppedIsLost) {
  Process root = start(0), data = start(1), memory = start(2), wafer = start(3);
  when([](const Json& now) { return now.at("step") > 60; });  // after a checkpoint
  int before = 0;                                             // steps of the first root
  {
    const StoppedThread stopped(memory->pid(), GetParam());
    if (stopped.error() == EPERM) GTEST_SKIP() << "ptrace is not allowed here";
    ASSERT_EQ(stopped.error(), 0);
    const Json end = when([](const Json& now) { return !now.at("end").is_null(); });
    if (end.is_null())
      memory->kill(SIGKILL);
    else
      before = end.at("step");
    EXPECT_EQ(root->wait(), 130) << root->errors();
  }
  EXPECT_EQ(memory->wait(), 1);
  EXPECT_SAYS(root->errors(), "memory 0 is lost with the updates ");
  EXPECT_SAYS(root->errors(), "memory 0 has made no progress for 10 s: its compute thread hangs");
  EXPECT_SAYS(log(2), "This process ends.");
  root = start(0), memory = start(2);
  when([&](const Json& now) { return now.at("lives") == true && now.at("step") > before; });
  root->kill(SIGUSR1);
  EXPECT_EQ(root->wait(), 130) << root->errors();
  for (StartedProgram* other : {data.get(), memory.get(), wafer.get()}) EXPECT_EQ(other->wait(), 0) << other->errors();
  const int steps = when([](const Json& now) { return !now.at("end").is_null(); }).at("step");
  run("whole", steps);
  EXPECT_TRUE(tensors("out", steps) == tensors("whole", steps)) << "after step " << steps;
}
INSTANTIATE_TEST_SUITE_P(Each, MemoryHang, testing::Values("memory 0", "memory 0 takes", "makes ops", "updates"));

}  // namespace
}  // namespace weft::test
