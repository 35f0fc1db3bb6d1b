/// A snapshot taken during training has the state of a single moment.
#include "host/memoryx/snapshot.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <mutex>

#include "host/memoryx/tier.hpp"
#include "tests/memoryx/small_plan.hpp"

namespace weft::memoryx::snapshot_test {
namespace {

using State = std::vector<std::vector<float>>;

State state_of(const compiler::Plan& plan, MemoryX& memoryx) {
  State state(3, std::vector<float>(plan.parameters));
  memoryx
      .snapshot(
          [&](int vector, std::uint64_t first, std::span<const float> values) {
            std::ranges::copy(values,
                              state[static_cast<std::size_t>(vector)].begin() + static_cast<std::ptrdiff_t>(first));
          },
          [] {})
      ->wait();
  return state;
}

/// Takes a snapshot while steps run, with a slow copying thread, so that the updating threads copy most shards.
void expect_of_one_moment(bool eager, std::unique_ptr<ParameterStore> store) {
  const compiler::Plan plan = small_plan(300000);
  MemoryX memoryx(plan, {.threads = 2, .eager = eager}, std::move(store));
  const auto step = [&](std::uint64_t number) {
    memoryx.begin_step({.step = number, .micro_batches = 2, .passes = 2, .tokens = 100});
    for (std::size_t op = 0; op < plan.ops.size(); ++op) memoryx.streamed(op);
    add_gradients(plan, memoryx, number, 100000);
    memoryx.apply(number, 100);
    memoryx.finish_update();
  };
  step(0);
  const State expected = state_of(plan, memoryx);
  State taken(3, std::vector<float>(plan.parameters));
  std::mutex mutex;
  bool ended = false;
  const auto slow = std::this_thread::get_id();
  const auto snapshot = memoryx.snapshot(
      [&](int vector, std::uint64_t first, std::span<const float> values) {
        if (vector == 0 && first > 0 && std::this_thread::get_id() != slow)
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
        const std::lock_guard lock(mutex);
        std::ranges::copy(values, taken[static_cast<std::size_t>(vector)].begin() + static_cast<std::ptrdiff_t>(first));
      },
      [&] { ended = true; });
  step(1);
  step(2);
  snapshot->wait();
  EXPECT_TRUE(ended);
  EXPECT_EQ(taken, expected);
  EXPECT_NE(state_of(plan, memoryx), expected);
}

std::unique_ptr<ParameterStore> tier() {
  return std::make_unique<TierStore>(
      600005, TierOptions{.dram = 900 << 10, .folder = std::filesystem::current_path(), .threads = 2});
}

TEST(Snapshot, IsOfOneMomentWhileStepsGoOn) { expect_of_one_moment(false, nullptr); }
TEST(Snapshot, IsOfOneMomentWithEarlyUpdates) { expect_of_one_moment(true, nullptr); }
TEST(Snapshot, IsOfOneMomentWhilePagesAreAway) { expect_of_one_moment(false, tier()); }
TEST(Snapshot, IsOfOneMomentWhilePagesAreAwayWithEarlyUpdates) { expect_of_one_moment(true, tier()); }

TEST(Snapshot, FailureDoesNotBlockTraining) {
  const compiler::Plan plan = small_plan(300000);
  MemoryX memoryx(plan, {}), other(plan, {});
  bool ended = false;
  const auto snapshot = memoryx.snapshot(
      [](int, std::uint64_t first, std::span<const float>) {
        if (first > 100000) throw std::runtime_error("no room");
      },
      [&] { ended = true; });
  for (MemoryX* one : {&memoryx, &other}) {
    one->begin_step(2);
    add_gradients(plan, *one, 0, 100000);
    one->apply(0, 100);
  }
  EXPECT_EQ(memoryx.finish_update().hash, other.finish_update().hash);
  EXPECT_TRUE(memoryx.is_consistent());
  EXPECT_THROW(snapshot->wait(), std::runtime_error);
  EXPECT_FALSE(ended);
}

}  // namespace
}  // namespace weft::memoryx::snapshot_test
