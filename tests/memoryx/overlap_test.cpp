/// Overlap of MemoryX's operations with an update, and the results of its single pass.
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "host/memoryx/fixed_point.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/memoryx/shards.hpp"
#include "tests/compiler/listed_stream.hpp"
#include "tests/gated_store.hpp"

namespace weft::memoryx {
namespace {

using test::GatedStore;

constexpr std::uint32_t kSize = 150000;
constexpr int kShardsOfB = 3;  // shards of 64Ki, the first of which contains the end of "a"

/// The numbers from `first` up to, but not including, `end`.
std::vector<std::uint64_t> parameters(std::uint64_t first, std::uint64_t end) {
  std::vector<std::uint64_t> list(end - first);
  std::iota(list.begin(), list.end(), first);
  return list;
}

/// Op 0 streams "b" before "a", which is first in the flat vector, and the few elements of "c" last; op 1 returns the
/// gradients of all.
compiler::Plan three_tensors() {
  compiler::Plan plan;
  plan.tensors = {{"a", {kSize}, 0, kSize, true, 0.02F, 0},
                  {"b", {kSize}, kSize, kSize, true, 0.02F, 0},
                  {"c", {7}, 2 * kSize, 7, false, 0, 1}};
  plan.parameters = 2 * kSize + 7;
  plan.ops.resize(2);
  plan.ops[0].tensors = {1, 0, 2};
  compiler::return_gradients(plan.ops[1], {parameters(0, plan.parameters)});
  return plan;
}

struct Machine {
  Machine() : plan(three_tensors()) {
    auto owned = std::make_unique<GatedStore>(plan.parameters);
    store = owned.get();
    memoryx = std::make_unique<MemoryX>(plan, MemoryXOptions{.optimizer = {.weight_decay = 0.1}}, std::move(owned));
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
  compiler::Plan plan;
  GatedStore* store;
  std::unique_ptr<MemoryX> memoryx;
};

TEST(Overlap, FirstStreamedPartIsReadyDuringTheUpdate) {
  Machine machine;
  machine.store->close(kShardsOfB);
  machine.step(0);
  machine.memoryx->wait(std::vector{1});
  EXPECT_FALSE(machine.memoryx->update_finished());
  machine.memoryx->begin_step(1);
  machine.store->open();
  machine.memoryx->wait(std::vector{0, 2});
  machine.memoryx->finish_update();
  EXPECT_TRUE(machine.memoryx->update_finished());
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
  other.memoryx->finish_update();
  other.step(1);
  EXPECT_EQ(machine.memoryx->hash(), other.memoryx->hash());
}

TEST(Overlap, ThePassThatUpdatesFindsTheHashOfTheState) {
  Machine machine;
  Pool alone(0);
  for (std::uint64_t number = 0; number < 3; ++number) {
    machine.step(number);
    const UpdateResult settled = machine.memoryx->finish_update();
    EXPECT_EQ(settled.hash, machine.memoryx->hash());
    EXPECT_EQ(settled.hash, state_hash(machine.memoryx->store(), alone));
  }
}

TEST(Overlap, ChangeOfTheStoreChangesTheHash) {
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
  EXPECT_EQ(machine.memoryx->finish_update().gradient_norm, ExactSum::norm(sum.squares(0x1p-40 / 10, alone)));
}

/// Two ops return gradients, of "b" with "c" and of "a"; "b" is read once more between them.
struct EagerMachine {
  explicit EagerMachine(bool eager, double clip = 0) : plan(three_tensors()) {
    plan.ops.resize(4);
    plan.ops[2].tensors = {1};
    compiler::return_gradients(plan.ops[1], {parameters(kSize, plan.parameters)});
    compiler::return_gradients(plan.ops[3], {parameters(0, kSize)});
    memoryx = std::make_unique<MemoryX>(plan, MemoryXOptions{.optimizer = {.max_gradient_norm = clip}, .eager = eager});
    std::mt19937_64 random(7);
    for (std::size_t i = 0; i < plan.parameters; ++i) values.push_back(static_cast<std::int64_t>(random()) >> 24);
  }
  void begin(std::uint64_t step) { memoryx->begin_step({.step = step, .micro_batches = 2, .passes = 2, .tokens = 10}); }
  /// Adds a part of the gradient of "b" and "c", or that of "a".
  void add_b(std::size_t first, std::size_t count) { memoryx->add(1, first, std::span(values).subspan(first, count)); }
  void add_a() { memoryx->add(3, 0, std::span(values).first(kSize)); }
  void step(std::uint64_t number) {
    begin(number);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t op = 0; pass == 1 && op < 4; ++op) memoryx->streamed(op);
      add_b(0, kSize + 7);
      add_a();
    }
    memoryx->apply(number, 10);
  }
  std::vector<float> b() const {
    const auto all = memoryx->parameters().subspan(std::size_t{3} * kShard, kSize / 2);  // shards without other tensors
    return {all.begin(), all.end()};
  }
  compiler::Plan plan;
  std::unique_ptr<MemoryX> memoryx;
  std::vector<std::int64_t> values;
};

TEST(EagerUpdate, ChangesNoBit) {
  EagerMachine eager(true), late(false);
  for (std::uint64_t number = 0; number < 3; ++number) {
    eager.step(number);
    late.step(number);
    const UpdateResult one = eager.memoryx->finish_update(), other = late.memoryx->finish_update();
    EXPECT_EQ(one.hash, other.hash);
    EXPECT_EQ(one.gradient_norm, other.gradient_norm);
  }
}

/// The update happens after the tensor's last read and last gradient, and then at once.
TEST(EagerUpdate, ATensorIsUpdatedWhenNothingElseOfTheStepNeedsIt) {
  EagerMachine machine(true);
  const std::vector<float> before = machine.b();
  machine.begin(0);
  machine.add_b(0, kSize + 7);
  machine.memoryx->streamed(0);
  machine.memoryx->streamed(1);
  machine.add_b(0, kSize + 7);
  EXPECT_TRUE(machine.memoryx->update_finished());
  EXPECT_EQ(machine.b(), before) << "it is to be read once more";
  machine.memoryx->streamed(2);
  EXPECT_FALSE(machine.memoryx->is_consistent()) << "which waits";
  EXPECT_NE(machine.b(), before);
}

TEST(EagerUpdate, SumsTakeMemoryOnlyUntilTheyAreTaken) {
  EagerMachine eager(true), late(false);
  for (EagerMachine* machine : {&eager, &late}) {
    machine->begin(0);
    for (std::size_t op = 0; op < 4; ++op) machine->memoryx->streamed(op);
    for (int pass = 0; pass < 2; ++pass) machine->add_b(0, kSize + 7);
    machine->memoryx->is_consistent();  // for the updates
    for (int pass = 0; pass < 2; ++pass) machine->add_a();
    machine->memoryx->apply(0, 10);
    machine->memoryx->finish_update();
  }
  constexpr std::size_t kBytes = kShard * sizeof(std::int64_t);
  EXPECT_EQ(late.memoryx->sum_bytes(), 5 * kBytes);
  EXPECT_EQ(eager.memoryx->sum_bytes(), 3 * kBytes) << "two shards are of b alone, and taken when a's come";
}

TEST(EagerUpdate, AStepThatFailsLeavesAStateThatIsNotWhole) {
  EagerMachine machine(true);
  machine.begin(0);
  for (std::size_t op = 0; op < 4; ++op) machine.memoryx->streamed(op);
  for (int pass = 0; pass < 2; ++pass) machine.add_b(0, kSize + 7);
  machine.memoryx->abandon_step();
  EXPECT_FALSE(machine.memoryx->is_consistent());
  EXPECT_ANY_THROW(machine.memoryx->store());
  EXPECT_ANY_THROW(machine.memoryx->hash());
  EXPECT_ANY_THROW(machine.begin(0));
}

TEST(EagerUpdate, AStepThatFailsBeforeItsFirstGradientIsCompleteChangesNothing) {
  EagerMachine machine(true);
  machine.step(0);
  const std::uint64_t hash = machine.memoryx->hash();
  machine.begin(1);
  for (std::size_t op = 0; op < 4; ++op) machine.memoryx->streamed(op);
  machine.add_b(0, kSize + 7);
  machine.memoryx->abandon_step();
  machine.add_b(0, kSize + 7);  // arrives late
  EXPECT_TRUE(machine.memoryx->is_consistent());
  EXPECT_EQ(machine.memoryx->hash(), hash);
}

TEST(EagerUpdate, GradientsThatAreClippedWaitForTheirNorm) {
  EagerMachine machine(true, 1.0);
  machine.begin(0);
  for (std::size_t op = 0; op < 4; ++op) machine.memoryx->streamed(op);
  for (int pass = 0; pass < 2; ++pass) machine.add_b(0, kSize + 7);
  EXPECT_TRUE(machine.memoryx->is_consistent());
}

}  // namespace
}  // namespace weft::memoryx
