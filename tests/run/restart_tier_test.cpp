/// Runs with a limit on DRAM give the same results, also after interruptions.
#include <sched.h>
#include <sys/mount.h>

#include "tests/run/restart.hpp"

namespace weft::test {
namespace {

/// An eighth of 2 MB of parameters, moments and sums is in DRAM.
class RestartTier : public Restart {
 protected:
  RestartTier() {
    std::string params = kRestartParams;
    params.replace(params.find("hidden_size: 8, num_hidden_layers: 1"), 36, "hidden_size: 64, num_hidden_layers: 2");
    params.replace(params.find("filter_size: 16"), 15, "filter_size: 256");
    params.replace(params.find("cols: 2"), 7, "cols: 2, sram_kib: 128");
    checkpoint::write_text(folder_ / "params.yaml", params);
  }
  void run_both(const Names& more, const Names& bound, int num_csx) {
    const std::string name = more.empty() ? "gpt2" : more.back();
    run(name, 4, 1, more);
    Names all = more;
    all.insert(all.end(), bound.begin(), bound.end());
    StartedProgram program(words(name + "_bound", 4, num_csx, all), errors());
    ASSERT_EQ(program.wait(), 0) << program.errors();
    EXPECT_SAYS(program.rest(), "tiers   0.25 MiB of");
    EXPECT_SAYS(program.rest(), "; tier read ");
    EXPECT_EQ(program.rest().find("tier read 0.00"), std::string::npos) << "pieces were away";
    expect_same_run(name, name + "_bound", 4);
  }
  const Names bound_ = {"--memoryx.dram_gib", "0.00025"};
};

TEST_F(RestartTier, TheRunIsThatWithoutABound) { run_both({}, bound_, 1); }
TEST_F(RestartTier, AndOnTwoWafersWithEarlyUpdates) {
  Names early = bound_;
  early.insert(early.end(), {"--memoryx.eager_update", "true"});
  run_both({"--optimizer.max_gradient_norm", "0"}, early, 2);
}
TEST_F(RestartTier, AndOfAnotherNetwork) {
  run_both({"--model.rotary_dim", "4", "--model.share_embedding_weights", "false", "--model.network", "gptj"}, bound_,
           2);
}
TEST_F(RestartTier, AndOfDynamicMasks) {
  run_both({"--sparsity.sparsity", "0.8", "--sparsity.algorithm", "rigl", "--sparsity.update_freq", "1",
            "--sparsity.update_stop", "4"},
           bound_, 2);
}

TEST_F(RestartTier, KilledAtFiveMomentsTheRunEndsInTheSameState) {
  run("whole", 12);
  std::mt19937 random(3);
  int killed = 0;
  for (int k = 0; k < 5; ++k) {
    StartedProgram program(words("a", 12, 1, bound_), errors());
    program.reach(2 * k + 1);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 100000));
    program.kill(SIGKILL);
    killed += program.wait() != 0;
    for (const std::string& entry : folder_.names("a"))
      EXPECT_FALSE(entry.find("memoryx") != std::string::npos) << "the file goes with the process: " << entry;
  }
  EXPECT_GT(killed, 0);
  run("a", 12, 2, bound_);
  expect_same_run("whole", "a", 12);
}

TEST_F(RestartTier, ADiskWithoutRoomForTheFileIsRefusedBeforeTraining) {
  EXPECT_SAYS(refusal(words("a", 4, 1, bound_), 1 << 20), "has no room for the ");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a"));
}

/// By default the tier's file is on the disk of the checkpoints.
TEST_F(RestartTier, ADiskWithRoomForTheFileAndNoCheckpointIsRefusedBeforeTraining) {
  const std::string disk = folder_ / "disk";
  std::filesystem::create_directory(disk);
  if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("weft", disk.c_str(), "tmpfs", 0, "size=3m") != 0)
    GTEST_SKIP() << "may not mount a disk";
  EXPECT_SAYS(refusal(words("disk/a", 4, 1, bound_), 0, 1), "runconfig.model_dir: " + disk + "/a: has room for ");
  EXPECT_FALSE(std::filesystem::exists(disk + "/a"));
  EXPECT_EQ(::umount(disk.c_str()), 0);
}

TEST_F(RestartTier, ABoundThatIsTooSmallIsRefusedWithOneThatWorks) {
  const std::string line = refusal(words("a", 4, 1, {"--memoryx.dram_gib", "0.00001"}));
  EXPECT_SAYS(line, "command line: memoryx.dram_gib: 1e-05 GiB have no room for");
  const std::size_t at = line.find("set it to ");
  ASSERT_NE(at, std::string::npos);
  run("a", 4, 1, {"--memoryx.dram_gib", line.substr(at + 10, line.find(' ', at + 10) - at - 10)});
}

}  // namespace
}  // namespace weft::test
