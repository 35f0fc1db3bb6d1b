/// Progress counters of wafers, for a monitor thread.
#include <gtest/gtest.h>

#include <atomic>

#include "host/backends/checked_wafer.hpp"
#include "tests/cli/modes/small_trainer.hpp"
#include "verif/model/model_wafer.hpp"

namespace weft::backends {
namespace {

/// The progress that `wafer` counts while it loads the small run's plan.
std::uint64_t counts(Wafer& wafer, bool says = true) {
  std::atomic<std::uint64_t> count = 0;
  EXPECT_EQ(wafer.count_progress(count), says);
  const cli::SmallTrainer run;
  wafer.feed(run.plan().load);
  wafer.settle();
  return count;
}

const machine::WaferShape& shape_of_run() {
  static const machine::WaferShape shape = cli::SmallTrainer().config().wafer;
  return shape;
}

TEST(Progress, TheRtlCountsItsCycles) {
  const auto wafer = make_rtl_wafer(shape_of_run());
  const std::uint64_t count = counts(*wafer);
  EXPECT_EQ(count, wafer->counters().cycles);
}

TEST(Progress, TheModelCountsHoweverItRuns) {
  EXPECT_GT(counts(*make_model_wafer(shape_of_run())), 0U);
  EXPECT_GT(counts(*make_model_wafer(shape_of_run(), 2)), 0U);
  EXPECT_GT(counts(*make_model_wafer(shape_of_run(), 1, 8)), 0U) << "links with a bound";
  const auto alone = model::make_model_to_look_at(shape_of_run(), 0);
  alone->leave_lockstep();
  EXPECT_GT(counts(*alone), 0U) << "tile by tile";
  const auto back = model::make_model_to_look_at(shape_of_run(), 0);
  back->leave_lockstep();
  back->reset();
  EXPECT_GT(counts(*back), 0U) << "in lockstep once more";
}

TEST(Progress, AModelThatLeavesLockstepContinuesToCount) {
  std::atomic<std::uint64_t> count = 0;
  const auto wafer = model::make_model_to_look_at(shape_of_run(), 0);
  wafer->count_progress(count);
  wafer->leave_lockstep();
  wafer->feed(cli::SmallTrainer().plan().load);
  EXPECT_GT(count, 0U);
  const std::uint64_t before = count;
  wafer->reset();
  wafer->feed(cli::SmallTrainer().plan().load);
  EXPECT_GT(count, before);
}

/// A wafer without a progress counter.
struct Silent : Wafer {
  const machine::WaferShape& shape() const override { return shape_of_run(); }
  void feed(std::span<const machine::Message> /*messages*/) override {}
  void await(std::span<const std::uint64_t> /*totals*/) override {}
  void settle() override {}
  void reset() override {}
  std::vector<std::uint32_t>& outlet(int /*row*/) override { return words; }
  std::vector<std::uint16_t> sram(int /*row*/, int /*col*/) const override { return {}; }
  WaferCounters counters() const override { return {}; }
  std::string flags() const override { return {}; }
  std::vector<std::uint32_t> words;
};

TEST(Progress, TwoWafersSayItIfBothCan) {
  EXPECT_GT(
      counts(*make_checked_wafer("model", make_model_wafer(shape_of_run()), "rtl", make_rtl_wafer(shape_of_run()))),
      0U);
  counts(*make_checked_wafer("none", std::make_unique<Silent>(), "rtl", make_rtl_wafer(shape_of_run())), false);
  counts(*make_checked_wafer("model", make_model_wafer(shape_of_run()), "none", std::make_unique<Silent>()), false);
}

}  // namespace
}  // namespace weft::backends
