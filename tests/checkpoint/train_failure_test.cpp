/// Wafers, evaluations and data that fail during a run: completed steps are kept, and nothing else is left behind.
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>

#include "tests/checkpoint/train_run.hpp"
#include "tests/checkpoint/wrapped_wafer.hpp"

namespace weft::checkpoint {
namespace {

struct TrainFailure : TrainTest {
  /// A wafer that hangs after `left` awaited micro-batches, counted over all wafers.
  std::unique_ptr<Wafer> failing(std::atomic<int>& left) const {
    return std::make_unique<ActingWafer>(config_.wafer, [&left] {
      if (--left < 0) throw WaferHang("hangs on purpose");
    });
  }
};

TEST_F(TrainFailure, AStepThatFailsLosesNothing) {
  std::atomic<int> left = 1 << 30;
  const auto run_failing = [&](const std::string& name) {
    config_.runconfig.model_dir = folder_ / name;
    config_.runconfig.max_steps = 4;
    std::ostringstream out;
    train::train(
        config_, [&](int) { return failing(left); }, out, context_);
  };
  run_failing("whole");
  const int a_step = ((1 << 30) - left) / 4;
  left = 2 * a_step + a_step / 2;
  EXPECT_THROW(run_failing("a"), std::runtime_error);
  EXPECT_EQ(saved("a"), Names{"2"});
  run("a", 4);
  expect_same_run("whole", "a", 4);
}

/// Some weights of step 3 may already be updated when the step fails, so these must not be saved.
TEST_F(TrainFailure, AStepThatFailsWithEagerUpdatesContinuesFromTheLastCheckpoint) {
  config_.optimizer.max_gradient_norm = 0;
  config_.runconfig.checkpoint_steps = 1;
  run("whole", 4);
  config_.memoryx_eager_update = true;
  for (int micro_batch = 0; micro_batch < 3; ++micro_batch) {
    const std::string name = "early" + std::to_string(micro_batch);
    std::atomic<int> left = 2 * 3 + micro_batch;
    config_.runconfig.model_dir = folder_ / name;
    config_.runconfig.max_steps = 4;
    std::ostringstream out;
    EXPECT_THROW(train::train(
                     config_, [&](int) { return failing(left); }, out, context_),
                 WaferHang);
    EXPECT_EQ(saved(name), (Names{"1", "2"}));
    EXPECT_SAYS(run(name, 4), "resume  " + file(name, 2));
    expect_same_run("whole", name, 4);
  }
}

/// The disk is full from the middle of step 3 on, with no room for that step's checkpoint or the final one.
TEST_F(TrainFailure, AFullDiskLeavesTheLastCheckpointAndItIsNamed) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  config_.runconfig.checkpoint_steps = 1;
  config_.runconfig.model_dir = folder_ / "a";
  config_.runconfig.max_steps = 4;
  std::atomic<int> left = 2 * 3 + 1;
  const auto fill = [&] {
    if (--left >= 0) return;
    while (!std::filesystem::exists(file("a", 2))) std::this_thread::yield();  // it is written during this step
    const rlimit small{5000, before.rlim_max};  // bytes: enough for the metrics, not for a checkpoint
    setrlimit(RLIMIT_FSIZE, &small);
  };
  std::ostringstream out;
  std::string why;
  try {
    train::train(
        config_, [&](int) { return std::make_unique<ActingWafer>(config_.wafer, fill); }, out, context_);
  } catch (const Refusal& e) {
    why = e.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_SAYS(why, "cannot be written: File too large");
  EXPECT_SAYS(out.str(), "cannot be saved");
  EXPECT_SAYS(out.str(), "the last checkpoint is " + file("a", 2));
  EXPECT_EQ(saved("a"), (Names{"1", "2"}));
  EXPECT_SAYS(run("a", 4), "resume  " + file("a", 2));
  run("whole", 4);
  expect_same_run("whole", "a", 4);
}

/// The wafers fail in the evaluation after step 2: the step itself is trained, so its line must be present.
TEST_F(TrainFailure, AnEvaluationThatFailsLeavesNoHoleInTheMetrics) {
  run("whole", 4);
  config_.eval_input.data_dir = folder_ / "corpus.txt";
  config_.runconfig.eval_frequency = 2;
  std::atomic<int> left = 2 * 3 + 1;  // two steps of three micro-batches, and one of the evaluation
  config_.runconfig.model_dir = folder_ / "a";
  config_.runconfig.max_steps = 4;
  std::ostringstream out;
  EXPECT_THROW(train::train(
                   config_, [&](int) { return failing(left); }, out, context_),
               WaferHang);
  EXPECT_EQ(saved("a"), Names{"2"});
  EXPECT_SAYS(out.str(), "saved the state after step 2: " + file("a", 2));
  config_.runconfig.eval_frequency = 0;
  run("a", 4);
  expect_same_run("whole", "a", 4);
}

TEST_F(TrainFailure, ARunThatFailsInItsFirstStepLeavesNothing) {
  run("whole", 1);
  std::atomic<int> left{0};
  for (const std::string name : {"fails", "whole"}) {
    const Names before = name == "whole" ? folder_.names(name) : Names{};
    config_.runconfig.model_dir = folder_ / name;
    config_.runconfig.max_steps = 3;
    std::ostringstream out;
    EXPECT_THROW(train::train(
                     config_, [&](int) { return failing(left); }, out, context_),
                 WaferHang);
    if (!before.empty()) {
      EXPECT_EQ(folder_.names(name), before);
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "fails"));
}

TEST_F(TrainFailure, AShardThatIsCutWhileARunReadsItEndsTheRunByName) {
  const std::string shard = folder_ / "corpus.bin";
  std::vector<std::int32_t> header(256);
  header[0] = 20240520, header[1] = 1, header[2] = 2000;
  std::string bytes(reinterpret_cast<const char*>(header.data()), 1024);
  bytes.resize(1024 + 2 * 2000);
  write_text(shard, bytes);
  config_.train_input.data_dir = shard;
  for (const int num_csx : {1, 3}) {
    std::filesystem::resize_file(shard, 1024 + 2 * 2000);
    config_.runconfig.num_csx = num_csx;
    config_.runconfig.max_steps = 1000;
    config_.runconfig.model_dir = folder_ / ("cut" + std::to_string(num_csx));
    std::atomic<int> when{40};
    const auto cut = [&] {
      if (--when == 0) std::filesystem::resize_file(shard, 1024 + 500);
    };
    std::ostringstream out;
    try {
      train::train(
          config_, [&](int) { return std::make_unique<ActingWafer>(config_.wafer, cut); }, out, context_);
      FAIL() << "a thousand steps of a shard that was cut";
    } catch (const Refusal& e) {
      EXPECT_SAYS(std::string(e.what()), shard +
                                             ": was cut short while it is read: block 0 of 1 has 500 of 4000 bytes."
                                             " HINT: leave the files of data_dir as they are while a run reads ");
    }
  }
}

}  // namespace
}  // namespace weft::checkpoint
