/// Out of memory, no more threads, a failing store: MemoryX reports it and never exposes an incomplete state.
#include "tests/faults.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "host/memoryx/fixed_point.hpp"
#include "host/memoryx/memoryx.hpp"
#include "tests/compiler/listed_stream.hpp"

namespace weft::memoryx {
namespace {

using test::Fault;

constexpr std::uint32_t kSize = 150000;

/// Two tensors of several shards each; op 0 streams the second one first, op 1 returns the gradients of both.
compiler::Plan two_tensors() {
  compiler::Plan plan;
  plan.tensors = {{"a", {kSize}, 0, kSize, true, 0.02F, 0}, {"b", {kSize}, kSize, kSize, true, 0.02F, 0}};
  plan.parameters = 2 * kSize;
  plan.ops.resize(2);
  plan.ops[0].tensors = {1, 0};
  std::vector<std::uint64_t> all;
  for (std::uint32_t i = 0; i < 2 * kSize; ++i) all.push_back(i);
  compiler::return_gradients(plan.ops[1], {all});
  return plan;
}

const std::vector<int> kBoth{0, 1};

/// A store that fails from the n-th access to the moments on.
class FailingStore final : public ParameterStore {
 public:
  explicit FailingStore(std::uint64_t parameters) : inner_(make_dram_store(parameters)) {}
  std::span<float> weights() override { return inner_->weights(); }
  std::span<float> first_moments() override {
    if (left.fetch_sub(1) <= 0) throw std::runtime_error("the store is gone");
    return inner_->first_moments();
  }
  std::span<float> second_moments() override { return inner_->second_moments(); }

  std::atomic<int> left = 1 << 30;

 private:
  std::unique_ptr<ParameterStore> inner_;
};

MemoryXOptions with_threads(unsigned threads) {
  MemoryXOptions options;
  options.threads = threads;
  return options;
}

struct Machine {
  explicit Machine(const compiler::Plan& plan, unsigned threads, std::unique_ptr<ParameterStore> store = nullptr)
      : memoryx(plan, with_threads(threads), std::move(store)) {
    memoryx.begin_step(1);
    memoryx.add(1, 0, std::vector<std::int64_t>(2 * kSize, std::int64_t{3} << kGradientBits));
  }

  /// Checks that no call exposes the weights, and that none blocks.
  void expect_broken() {
    EXPECT_FALSE(memoryx.is_consistent());
    EXPECT_ANY_THROW(memoryx.store());
    EXPECT_ANY_THROW(memoryx.hash());
    EXPECT_ANY_THROW(memoryx.finish_update());
    EXPECT_ANY_THROW(memoryx.wait(kBoth));
    EXPECT_ANY_THROW(memoryx.begin_step(1));
    EXPECT_ANY_THROW(memoryx.apply(1, 10));
  }

  MemoryX memoryx;
};

std::uint64_t good_hash(const compiler::Plan& plan) {
  Machine machine(plan, 1);
  machine.memoryx.apply(0, 10);
  EXPECT_TRUE(machine.memoryx.is_consistent());
  return machine.memoryx.hash();
}

TEST(MemoryXFaults, TheNthAllocationOfApply) {
  const compiler::Plan plan = two_tensors();
  const std::uint64_t expected = good_hash(plan);
  for (const unsigned threads : {1U, 3U}) {
    for (const Fault fault : {Fault::Once, Fault::ForEver}) {
      bool failed = true;
      for (std::uint64_t n = 1; failed; ++n) {
        SCOPED_TRACE(std::to_string(threads) + " threads, allocation " + std::to_string(n));
        ASSERT_LT(n, 100U);
        Machine machine(plan, threads);
        try {
          const test::NoMemory none(fault, n);
          machine.memoryx.apply(0, 10);
          machine.memoryx.wait(kBoth);
          machine.memoryx.store();
          failed = false;
        } catch (const std::bad_alloc&) {
        }
        if (failed)
          machine.expect_broken();
        else
          EXPECT_EQ(machine.memoryx.hash(), expected);
      }
    }
  }
}

TEST(MemoryXFaults, TheNthThread) {
  const compiler::Plan plan = two_tensors();
  const std::uint64_t expected = good_hash(plan);
  for (const unsigned threads : {1U, 2U, 4U}) {
    bool failed = true;
    for (std::uint64_t n = 1; failed; ++n) {
      SCOPED_TRACE(std::to_string(threads) + " threads, thread " + std::to_string(n));
      ASSERT_LE(n, threads + 1);
      std::unique_ptr<Machine> machine;
      try {
        const test::NoThread none(Fault::ForEver, n);
        machine = std::make_unique<Machine>(plan, threads);
        failed = false;
      } catch (const std::system_error&) {
      }
      if (failed) continue;
      const test::NoThread none(Fault::ForEver, 1);  // a step starts no threads
      machine->memoryx.apply(0, 10);
      EXPECT_EQ(machine->memoryx.hash(), expected);
    }
  }
}

TEST(MemoryXFaults, AShardThatFailsIsSaidToAllWhoWait) {
  const compiler::Plan plan = two_tensors();
  for (const unsigned threads : {1U, 3U}) {
    for (int good = 0; good < 5; ++good) {
      SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(good) + " good shards");
      auto owned = std::make_unique<FailingStore>(plan.parameters);
      FailingStore& store = *owned;
      Machine machine(plan, threads, std::move(owned));
      store.left = good;
      try {
        machine.memoryx.apply(0, 10);  // may already throw
        machine.memoryx.wait(kBoth);
        ADD_FAILURE() << "nothing was said";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "the store is gone");
      }
      store.left = 1 << 30;
      machine.expect_broken();
    }
  }
}

TEST(MemoryXFaults, AFailedShardThatIsNotAskedFor) {
  const compiler::Plan plan = two_tensors();
  auto owned = std::make_unique<FailingStore>(plan.parameters);
  FailingStore& store = *owned;
  Machine machine(plan, 2, std::move(owned));
  store.left = 1;
  EXPECT_NO_THROW(try { machine.memoryx.apply(0, 10); } catch (const std::runtime_error&){});
}

}  // namespace
}  // namespace weft::memoryx
