/// What of MemoryX waits for an update, and what does not; what its one pass finds out.
#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <vector>

#include "host/memoryx/fixed_point.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/memoryx/shards.hpp"
#include "tests/gated_store.hpp"

namespace weft {
namespace {

using test::GatedStore;

constexpr std::uint32_t kSize = 150000;
constexpr int kShardsOfB = 3;  // of 64Ki, the first of which has the end of "a"

/// Op 0 streams "b" before "a", which is first in the flat vector, and the few elements of "c" last; op 1 returns the
/// gradients of all.
Plan three_tensors() {
  Plan plan;
  plan.tensors = {{"a", {kSize}, 0, kSize, true, 0.02F, 0},
                  {"b", {kSize}, kSize, kSize, true, 0.02F, 0},
                  {"c", {7}, 2 * kSize, 7, false, 0, 1}};
  plan.parameters = 2 * kSize + 7;
  plan.ops.resize(2);
  plan.ops[0].tensors = {1, 0, 2};
  plan.ops[1].returns = Returns::Gradient;
  plan.ops[1].gradient.resize(1);
  for (std::uint32_t i = 0; i < plan.parameters; ++i) plan.ops[1].gradient[0].push_back(i);
  return plan;
}

struct Machine {
  Machine() : plan(three_tensors()) {
    auto owned = std::make_unique<GatedStore>(plan.parameters);
    store = owned.get();
    memoryx = std::make_unique<MemoryX>(plan, MemoryXOptions{.adamw = {.weight_decay = 0.1}}, std::move(owned));
  }
  std::vector<std::int64_t> gradient(unsigned seed) const {
    std::mt19937_64 random(seed);
    std::vector<std::int64_t> values(plan.parameters);
    for (std::int64_t& value : values) value = static_cast<std::int64_t>(random()) >> 24;
    return values;
  }
  void step(std::uint64_t number) {
    memoryx->begin_step(1);
    memoryx->add(1, 0, gradient(static_cast<unsigned>(number)));
    memoryx->apply(number, 10);
  }
  Plan plan;
  GatedStore* store;
  std::unique_ptr<MemoryX> memoryx;
};

TEST(Overlap, WhatIsStreamedFirstIsThereWhileTheRestIsUpdated) {
  Machine machine;
  machine.store->close(kShardsOfB);
  machine.step(0);
  machine.memoryx->wait(std::vector{1});
  EXPECT_FALSE(machine.memoryx->settled());
  machine.memoryx->begin_step(1);
  machine.store->open();
  machine.memoryx->wait(std::vector{0, 2});
  machine.memoryx->settle();
  EXPECT_TRUE(machine.memoryx->settled());
  EXPECT_FALSE(machine.store->late());
}

TEST(Overlap, AGradientIsNotAddedBeforeTheLastStepHasTakenItsSum) {
  Machine machine, other;
  machine.store->close(1, std::chrono::milliseconds(300));
  machine.step(0);
  machine.memoryx->begin_step(1);
  const std::vector<std::int64_t> second = machine.gradient(1);
  machine.memoryx->add(1, 0, second);
  machine.store->open();
  EXPECT_TRUE(machine.store->late()) << "it was added while the update was held";
  machine.memoryx->apply(1, 10);
  other.step(0);
  other.memoryx->settle();
  other.step(1);
  EXPECT_EQ(machine.memoryx->hash(), other.memoryx->hash());
}

TEST(Overlap, ThePassThatUpdatesFindsTheHashOfTheState) {
  Machine machine;
  Pool alone(0);
  for (std::uint64_t number = 0; number < 3; ++number) {
    machine.step(number);
    const Settled settled = machine.memoryx->settle();
    EXPECT_EQ(settled.hash, machine.memoryx->hash());
    EXPECT_EQ(settled.hash, state_hash(machine.memoryx->store(), alone));
  }
}

TEST(Overlap, WhoChangesTheStoreChangesTheHash) {
  Machine machine;
  machine.step(0);
  const std::uint64_t before = machine.memoryx->hash();
  machine.memoryx->store().second_moments()[70000] += 1;
  EXPECT_NE(machine.memoryx->hash(), before);
}

TEST(Overlap, TheNormOfThePassIsThatOfTheSums) {
  Machine machine;
  Pool alone(0);
  ExactSum sum(machine.plan);
  sum.add(1, 0, machine.gradient(0));
  machine.step(0);
  EXPECT_EQ(machine.memoryx->settle().gradient_norm, sum.norm(0x1p-40 / 10, alone));
}

}  // namespace
}  // namespace weft
