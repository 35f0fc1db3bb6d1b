/// Training that diverges: none of its state is saved, and earlier good checkpoints are kept.
#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>

#include "host/checkpoint/checkpoint.hpp"
#include "host/memoryx/diverged.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/checkpoint/train_run.hpp"
#include "tests/checkpoint/wrapped_wafer.hpp"

namespace weft::checkpoint {
namespace {

/// A model wafer that returns NaN in the micro-batches `from` to `to`, counted over all wafers and all steps.
class NoNumbers final : public WrappedWafer {
 public:
  struct When {
    int from = 0, to = 0;
    std::atomic<int> at = 0;
    std::atomic<int> times = 1 << 30;  ///< limit on the number of occurrences
  };
  NoNumbers(const machine::WaferShape& shape, When& when) : WrappedWafer(shape), when_(when) {}
  void feed(std::span<const machine::Message> messages) override {
    WrappedWafer::feed(messages);
    spoil();
  }
  void await(std::span<const std::uint64_t> totals) override {
    WrappedWafer::await(totals);
    spoil();
    ++when_.at;
  }

 private:
  void spoil() {
    if (when_.at < when_.from || when_.at > when_.to || outlet(0).empty() || --when_.times < 0) return;
    for (int r = 0; r < shape().rows; ++r) {
      for (std::uint32_t& word : outlet(r))
        word = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN());
    }
  }
  When& when_;
};

class Divergence : public TrainTest {
 protected:
  /// Runs training and returns the error message; empty: training ended with 0. Its output is in `printed_`.
  std::string diverges(const std::string& name, int steps) {
    config_.runconfig.model_dir = folder_ / name;
    config_.runconfig.max_steps = steps;
    std::ostringstream out;
    std::string what;
    try {
      train::train(
          config_, [&](int) { return std::make_unique<NoNumbers>(config_.wafer, when_); }, out, context_);
    } catch (const memoryx::Diverged& error) {
      what = error.what();
    }
    printed_ = out.str();
    return what;
  }
  /// A good learning rate for `good` steps, then one that diverges.
  void explode_after(int good, double rate) {
    config_.optimizer.learning_rate = {{.scheduler = "Constant", .learning_rate = 0.005, .total_iters = good},
                                       {.scheduler = "Constant", .learning_rate = rate}};
    config_.optimizer.max_gradient_norm = 0;
  }

  NoNumbers::When when_{1 << 30, 1 << 30};
  std::string printed_;
};

TEST_F(Divergence, BadWeightsAreFoundInTheSameStep) {
  explode_after(3, 1e30);
  config_.runconfig.checkpoint_steps = 1;
  config_.runconfig.keep_checkpoint_max = 1;
  EXPECT_SAYS(diverges("a", 4), "step 4: wte.weight has a weight of ") << "also in the last step";
  EXPECT_EQ(saved("a"), (Names{"2", "3"})) << "3 has not been trained from";
  EXPECT_SAYS(printed_, "the last checkpoint is " + file("a", 3));
  explode_after(1 << 20, 0);
  context_.allow_other_bits = true;
  EXPECT_SAYS(run("a", 5), "resume  " + file("a", 3));
  run("b", 5);
  const auto tensors = compiler::model_tensors(config_.model);
  EXPECT_EQ(load_checkpoint(file("a", 5), tensors).weights, load_checkpoint(file("b", 5), tensors).weights);
}

/// Without a checkpoint between the steps, the next step is already streaming when the error is found.
TEST_F(Divergence, BadWeightsAreFoundWhileNextStepStreams) {
  for (const char* what : {"stop", "skip"}) {  // the loss of the next step is ignored in both cases
    explode_after(3, 1e30);
    config_.runconfig.on_divergence = what;
    EXPECT_SAYS(diverges(what, 9), "step 4: wte.weight has a weight of ");
    EXPECT_EQ(saved(what), Names{});
    const std::string lines = metrics(what);
    EXPECT_EQ(std::ranges::count(lines, '\n'), 3) << lines;
    EXPECT_SAYS(printed_, "nothing is saved");
  }
}

/// The previous step was good, and its line is written.
TEST_F(Divergence, BadLossKeepsMetricsOfEarlierSteps) {
  when_.from = 12, when_.to = 1 << 30;  // the fifth step: three micro-batches per step
  EXPECT_SAYS(diverges("a", 9), "is not a finite number");
  const std::string lines = metrics("a");
  EXPECT_EQ(std::ranges::count(lines, '\n'), 4) << lines;
}

TEST_F(Divergence, InTheFirstStepLeavesNothing) {
  explode_after(1, 1e30);
  config_.optimizer.learning_rate.erase(config_.optimizer.learning_rate.begin());
  EXPECT_NE(diverges("a", 4), "");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a"));
}

/// The weights after the bad step are finite but their loss is not: the checkpoint before them is kept.
TEST_F(Divergence, BadLossKeepsTheLastGoodCheckpoint) {
  config_.runconfig.checkpoint_steps = 1;
  config_.runconfig.keep_checkpoint_max = 1;
  when_.from = 12, when_.to = 1 << 30;  // the fifth step: three micro-batches per step
  EXPECT_SAYS(diverges("a", 9), "is not a finite number");
  EXPECT_EQ(saved("a"), (Names{"3", "4"})) << "4 has not been trained from: 3 is the last that is known to be good";
}

/// Weights of 1e4 are finite but their loss is not, which the run does not detect before its end.
TEST_F(Divergence, BadLastStepKeepsEarlierCheckpoint) {
  config_.runconfig.checkpoint_steps = 1;
  config_.runconfig.keep_checkpoint_max = 1;
  explode_after(3, 1e4);
  EXPECT_EQ(diverges("a", 4), "");
  EXPECT_EQ(saved("a"), (Names{"3", "4"})) << "a step was trained from 3";
  config_.runconfig.on_divergence = "skip";
  context_.allow_other_bits = true;
  EXPECT_NE(diverges("a", 6), "") << "nothing is learned any more";
  EXPECT_EQ(saved("a").front(), "3");
}

TEST_F(Divergence, StepIsSkippedOnRequest) {
  config_.runconfig.on_divergence = "skip";
  config_.runconfig.num_csx = 2;
  when_.from = when_.to = 6, when_.times = 1;  // at the start of the third step, on whichever wafer is first
  EXPECT_EQ(diverges("a", 6), "");
  const auto lines = metrics_without(folder_ / "a", {"seconds"});
  EXPECT_SAYS(lines, R"("loss":null)");
  EXPECT_SAYS(lines, R"("skipped":true,"state_hash")");
  const Checkpoint last = load_checkpoint(file("a", 6), compiler::model_tensors(config_.model));
  EXPECT_EQ(last.step, 6U);
  EXPECT_SAYS(printed_, "skipped");
}

TEST_F(Divergence, ASkippedStepChangesNothing) {
  config_.runconfig.on_divergence = "skip";
  config_.runconfig.checkpoint_steps = 1;
  when_.from = 6, when_.to = 8;
  EXPECT_SAYS(diverges("a", 3), "the last 1 step diverged and changed nothing. HINT: ");
  const auto tensors = compiler::model_tensors(config_.model);
  const Checkpoint before = load_checkpoint(file("a", 2), tensors), after = load_checkpoint(file("a", 3), tensors);
  EXPECT_EQ(before.weights, after.weights);
  EXPECT_EQ(before.second_moments, after.second_moments);
}

TEST_F(Divergence, SkipsInARowAreLimited) {
  config_.runconfig.on_divergence = "skip";
  when_.from = 6, when_.to = 1 << 30;
  EXPECT_SAYS(diverges("a", 100), "11 steps in a row have diverged, the last with: ");
  EXPECT_EQ(saved("a"), Names{});
}

}  // namespace
}  // namespace weft::checkpoint
