/// A wafer that ran out of memory or threads reports the error for every call until a reset.
#include "tests/faults.hpp"

#include <gtest/gtest.h>

#include <new>
#include <string>
#include <system_error>

#include "tests/cosim/tiny.hpp"
#include "verif/model/model_wafer.hpp"

namespace weft::model {
namespace {

using test::Fault;
using test::NoMemory;
using test::NoThread;

constexpr machine::WaferShape kShape{.rows = 2, .cols = 3, .sram_kib = 8};

/// Results of a micro-batch, in memory allocated before any fault.
struct Result {
  std::vector<std::vector<std::uint32_t>> outlets;
  bool operator==(const Result&) const = default;
};

Result outlets(Wafer& wafer) {
  Result result;
  for (int row = 0; row < kShape.rows; ++row) result.outlets.push_back(wafer.outlet(row));
  return result;
}

/// Runs a micro-batch in parts, as from a network, so that several are in flight.
void run(const cosim::Tiny& tiny, Wafer& wafer) {
  wafer.feed(tiny.plan.load);
  for (std::span<const machine::Message> rest = tiny.messages; !rest.empty();) {
    const std::size_t n = std::min<std::size_t>(rest.size(), 500);
    wafer.feed(rest.first(n));
    rest = rest.subspan(n);
  }
  wafer.await(tiny.totals);
}

/// Runs half of a micro-batch in lockstep, the other half tile by tile.
void run_apart(const cosim::Tiny& tiny, Wafer& wafer, Fault fault, std::uint64_t n) {
  wafer.feed(tiny.plan.load);
  const std::span<const machine::Message> all = tiny.messages;
  wafer.feed(all.first(all.size() / 2));
  const NoMemory none(fault, n);
  dynamic_cast<ModelWafer&>(wafer).leave_lockstep();
  wafer.feed(all.subspan(all.size() / 2));
  wafer.await(tiny.totals);
}

/// Checks that a failed wafer works like a new one after a reset.
void expect_recovery(const cosim::Tiny& tiny, Wafer& wafer, const Result& expected) {
  wafer.reset();
  run(tiny, wafer);
  EXPECT_EQ(outlets(wafer), expected);
}

void expect_failed(const cosim::Tiny& tiny, Wafer& wafer) {
  EXPECT_THROW(wafer.feed(tiny.messages), std::bad_alloc);
  EXPECT_THROW(wafer.settle(), std::bad_alloc);
  EXPECT_THROW(wafer.await(tiny.totals), std::bad_alloc);
  EXPECT_THROW(wafer.counters(), std::bad_alloc);
}

void the_nth_allocation(int threads, Fault fault) {
  const cosim::Tiny tiny(kShape, cosim::tiny_model());
  const auto good = make_model_wafer(kShape);
  run(tiny, *good);
  const Result expected = outlets(*good);
  bool failed = true;
  for (std::uint64_t n = 1; failed; ++n) {
    SCOPED_TRACE(std::to_string(threads) + " threads, allocation " + std::to_string(n));
    ASSERT_LT(n, 100000U);
    const auto wafer = make_model_wafer(kShape, threads);
    try {
      const NoMemory none(fault, n);
      run(tiny, *wafer);
      failed = false;
    } catch (const std::bad_alloc&) {
    }
    if (failed) {
      expect_failed(tiny, *wafer);
      if (n % 8 == 1) expect_recovery(tiny, *wafer, expected);
    } else {
      EXPECT_EQ(outlets(*wafer), expected);
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(ModelFaults, TheNthAllocationOfOneThread) { the_nth_allocation(1, Fault::Once); }
TEST(ModelFaults, TheNthAllocationOfTwoThreads) { the_nth_allocation(2, Fault::Once); }
TEST(ModelFaults, TheNthAllocationOfThreeThreads) { the_nth_allocation(3, Fault::Once); }
TEST(ModelFaults, NoMemoryFromTheNthAllocationOn) { the_nth_allocation(3, Fault::ForEver); }

TEST(ModelFaults, TheNthAllocationWhenStepIsLeft) {
  const cosim::Tiny tiny(kShape, cosim::tiny_model());
  const auto good = make_model_wafer(kShape);
  run(tiny, *good);
  const Result expected = outlets(*good);
  bool failed = true;
  std::uint64_t n = 1;
  for (; failed; n += 1 + n / 16) {
    SCOPED_TRACE("allocation " + std::to_string(n));
    ASSERT_LT(n, 1000000U);
    const auto wafer = make_model_wafer(kShape);
    try {
      run_apart(tiny, *wafer, Fault::Once, n);
      failed = false;
    } catch (const std::bad_alloc&) {
      expect_failed(tiny, *wafer);
      expect_recovery(tiny, *wafer, expected);
    }
    if (!failed) {
      EXPECT_EQ(outlets(*wafer), expected);
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(n, 50U);
}

TEST(ModelFaults, AFailedModeSwitchIsForgotten) {
  const auto wafer = make_model_wafer(kShape);
  const machine::Message column[] = {machine::Message::select({0, 1}),
                                     machine::Message::command(machine::Command::Setreg, 1, 0)};
  {
    const NoMemory none(Fault::ForEver, 20);  // enough to take the messages
    EXPECT_THROW(wafer->feed(column), std::bad_alloc);
  }
  wafer->reset();
  wafer->settle();
  EXPECT_TRUE(dynamic_cast<ModelWafer&>(*wafer).in_lockstep());
}

TEST(ModelFaults, TheNthThread) {
  for (std::uint64_t n = 1; n <= 2; ++n) {
    const NoThread none(Fault::ForEver, n);
    EXPECT_THROW(make_model_wafer(kShape, 3), std::system_error);
  }
  const NoThread none(Fault::ForEver, 1);
  EXPECT_NO_THROW(make_model_wafer(kShape, 1));
}

}  // namespace
}  // namespace weft::model
