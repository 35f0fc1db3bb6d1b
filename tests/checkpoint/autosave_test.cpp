/// A killed run continues from its last timed checkpoint with the same bits; at most one such checkpoint is kept.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "host/checkpoint/checkpoint.hpp"
#include "host/planning/saved_plan.hpp"
#include "host/ranks/joining.hpp"
#include "host/swarmx/members/member.hpp"
#include "host/swarmx/memory/member.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/checkpoint/train_run.hpp"
#include "tests/swarmx/reserved_port.hpp"

namespace weft::checkpoint {
namespace {

class Autosave : public TrainTest {
 protected:
  /// Options that save after each step, unless another checkpoint is in progress.
  static inline const train::TrainOptions kOften{.autosave = std::chrono::milliseconds(0)};

  std::string run_often(const std::string& name, int steps) {
    config_.runconfig.model_dir = folder_ / name;
    config_.runconfig.max_steps = steps;
    std::ostringstream out;
    const auto wafer = [&](int) { return make_model_wafer(config_.wafer); };
    EXPECT_EQ(train::train(config_, wafer, out, context_, kOften), 0);
    return out.str();
  }
  int newest(const std::string& name) const {
    int most = -1;
    if (std::filesystem::exists(folder_ / name))
      for (const std::string& step : saved(name)) most = std::max(most, std::stoi(step));
    return most;
  }
  /// Kills a process that trains in `name` with SIGKILL once it has an autosave of step `step` or later.
  void kill_at(const std::string& name, int steps, int step) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      run_often(name, steps);
      ::_exit(0);
    }
    for (int k = 0; k < 60000 && newest(name) < step; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "it was done before it was killed";
    EXPECT_GE(newest(name), step);
    EXPECT_LE(saved(name).size(), 3U) << "the newest, the one before, and perhaps one on its way";
  }
  void expect_killed_run_goes_on() {
    constexpr int kSteps = 80;
    run("whole", kSteps);
    kill_at("killed", kSteps, 2);
    kill_at("killed", kSteps, 6);  // resumes from the first run's autosave, which is then deleted
    EXPECT_SAYS(run("killed", kSteps), "resume  " + (folder_ / "killed/checkpoint_"));
    EXPECT_EQ(saved("killed"), Names{std::to_string(kSteps)});
    expect_same_run("whole", "killed", kSteps);
  }
};

TEST_F(Autosave, ARunThatIsKilledContinuesWithTheSameBits) { expect_killed_run_goes_on(); }

TEST_F(Autosave, AKilledRunWithAFlashTierContinuesWithTheSameBits) {
  config_.memoryx_dram_gib = 0.00025;
  expect_killed_run_goes_on();
}

TEST_F(Autosave, AKilledSparseRunOfTwoWafersContinuesWithTheSameBits) {
  config_.runconfig.num_csx = 2;
  config_.sparsity = {.init_method = "random", .sparsity = 0.8};
  expect_killed_run_goes_on();
}

TEST_F(Autosave, LeftoverOfAKilledRunIsRemovedByTheNextCommand) {
  constexpr int kSteps = 80;
  kill_at("killed", kSteps, 2);
  const std::string autosave = file("killed", newest("killed")), left = text_of(autosave);
  run("killed", kSteps);
  write_text(autosave, left);  // as if the run was killed before it deleted the autosave
  EXPECT_SAYS(run("killed", kSteps), "done    ");
  EXPECT_EQ(saved("killed"), Names{std::to_string(kSteps)});
}

/// Bits and files equal those of a run without autosaves.
TEST_F(Autosave, LeavesTheCheckpointsThatWereAskedForAlone) {
  run("plain", 5);
  run_often("often", 5);
  EXPECT_EQ(saved("often"), Names{"5"});
  expect_same_run("plain", "often", 5);
  config_.runconfig.checkpoint_steps = 2;
  run("plain_due", 7);
  run_often("often_due", 7);
  EXPECT_EQ(saved("often_due"), (Names{"2", "4", "6", "7"}));
  for (const int step : {2, 4, 6, 7}) EXPECT_EQ(text_of(file("plain_due", step)), text_of(file("often_due", step)));
  config_.runconfig.keep_checkpoint_max = 2;
  run_often("kept", 7);
  EXPECT_EQ(saved("kept"), (Names{"6", "7"}));
}

TEST_F(Autosave, IsNoMoreFrequentThanItsInterval) {
  run("whole", 6);
  EXPECT_EQ(saved("whole"), Names{"6"});
  config_.runconfig.model_dir = folder_ / "rarely";
  config_.runconfig.max_steps = 6;
  std::ostringstream out;
  std::size_t most = 0;
  const auto wafer = [&](int) { return make_model_wafer(config_.wafer); };
  EXPECT_EQ(train::train(config_, wafer, out, context_, {.autosave = std::chrono::hours(1)}), 0);
  most = std::max(most, saved("rarely").size());
  EXPECT_EQ(most, 1U);
}

/// The last checkpoint takes precedence over timed ones: without room for both, none is saved by time, and the run
/// prints a note.
TEST_F(Autosave, OnADiskWithRoomForOneCheckpointTheRunEndsAsEver) {
  config_.model.hidden = 32, config_.model.filter = 64;
  run("whole", 5);
  const std::string disk = folder_ / "disk";
  const auto bytes = std::filesystem::file_size(file("whole", 5));
  ASSERT_GT(bytes, 100 << 10);
  const std::string size = "size=" + std::to_string(bytes + (96 << 10));  // metrics, events and a vocabulary need less
  std::filesystem::create_directory(disk);
  if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("weft", disk.c_str(), "tmpfs", 0, size.c_str()) != 0)
    GTEST_SKIP() << "may not mount a disk";
  const std::string said = run_often("disk/a", 5);
  EXPECT_SAYS(said, "note    the periodic checkpoint is not saved: ");
  expect_same_run("whole", "disk/a", 5);
  EXPECT_EQ(::umount2(disk.c_str(), MNT_DETACH), 0);
}

/// The root, two ranks of MemoryX and a wafer, in separate processes: only the root is killed and restarted.
class AutosaveOfRanks : public Autosave {
 protected:
  void SetUp() override {
    write_text(folder_ / "key", std::string(64, 'k'));
    std::filesystem::permissions(folder_ / "key", std::filesystem::perms::owner_read);
    config_.memoryx_ranks = 2;
    joining_ =
        std::make_shared<const ranks::Joining>(ranks::Joining{.address = "127.0.0.1",
                                                              .ports = {port_.number()},
                                                              .job = "autosave",
                                                              .digest = planning::settings_digest(config_),
                                                              .credentials = swarmx::key_credentials(folder_ / "key"),
                                                              .memory = 2});
  }
  void TearDown() override {
    for (const pid_t child : others_) ::kill(child, SIGKILL);
    for (const pid_t child : others_) ::waitpid(child, nullptr, 0);
  }
  template <class Work>
  void start(const Work& work) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      work();
      ::_exit(0);
    }
    others_.push_back(child);
  }
  void start_others() {
    const swarmx::JoinOptions join{.address = joining_->address,
                                   .port = port_.number(),
                                   .credentials = joining_->credentials,
                                   .job = joining_->job,
                                   .digest = joining_->digest};
    for (int id = 0; id < joining_->memory; ++id) start([&] { swarmx::run_memory_member({.id = id, .join = join}); });
    const auto wafer = [&](int) { return make_model_wafer(config_.wafer); };
    start([&] { swarmx::run_member({.id = 0, .make_wafer = wafer, .join = join}); });
  }

  swarmx::ReservedPort port_;
  std::shared_ptr<const ranks::Joining> joining_;
  std::vector<pid_t> others_;
};

TEST_F(AutosaveOfRanks, AKilledRootContinuesWithTheSameBitsOnItsRanks) {
  constexpr int kSteps = 60;
  run("whole", kSteps);
  start_others();
  context_.joining = joining_;
  kill_at("killed", kSteps, 2);
  kill_at("killed", kSteps, 6);
  EXPECT_SAYS(run("killed", kSteps), "resume  " + (folder_ / "killed/checkpoint_"));
  EXPECT_EQ(saved("killed"), Names{std::to_string(kSteps)});
  EXPECT_TRUE(text_of(file("whole", kSteps)) == text_of(file("killed", kSteps)));
}

}  // namespace
}  // namespace weft::checkpoint
