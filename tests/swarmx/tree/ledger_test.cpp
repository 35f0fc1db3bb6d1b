#include "host/swarmx/tree/ledger.hpp"

#include <gtest/gtest.h>

#include "tests/random.hpp"

namespace weft::swarmx {
namespace {

using Entry = Ledger::Entry;

Entry record(Ledger& ledger, const std::vector<std::uint32_t>& micro_batches, std::size_t bucket) {
  return ledger.record(micro_batches, bucket);
}

TEST(Ledger, RecordsEachBucketOfEachMicroBatchOnce) {
  Ledger ledger;
  ledger.begin(3, 2);
  EXPECT_EQ(record(ledger, {0, 2}, 1), Entry::New);
  EXPECT_EQ(record(ledger, {0, 2}, 1), Entry::Duplicate);
  EXPECT_EQ(record(ledger, {2}, 1), Entry::Duplicate);
  EXPECT_EQ(record(ledger, {1, 2}, 1), Entry::Partial);
  EXPECT_FALSE(ledger.has_any(1));  // the partial entry was rejected as a whole
  EXPECT_EQ(record(ledger, {1}, 1), Entry::New);
  EXPECT_EQ(ledger.missing(), 3U);
  EXPECT_EQ(record(ledger, {0}, 0), Entry::New);
  EXPECT_TRUE(ledger.complete(0));
  EXPECT_EQ(ledger.missing(), 2U);
  EXPECT_EQ(record(ledger, {0}, 0), Entry::Duplicate);
  EXPECT_EQ(record(ledger, {0, 1}, 0), Entry::Partial);
  EXPECT_EQ(record(ledger, {1, 2}, 0), Entry::New);
  EXPECT_EQ(ledger.missing(), 0U);
  ledger.begin(1, 1);
  EXPECT_EQ(ledger.missing(), 1U);
  EXPECT_FALSE(ledger.has_any(0));
}

/// In any order of arrival, the entries that are New cover each gradient bucket of each micro-batch exactly once.
TEST(Ledger, RecordedEntriesCoverEverythingOnce) {
  test::Rng rng(test::test_seed());
  for (int run = 0; run < 200; ++run) {
    const std::uint32_t micro_batches = 1 + rng.below(6), buckets = 1 + rng.below(4);
    Ledger ledger;
    ledger.begin(micro_batches, buckets);
    std::vector<int> taken(std::size_t{micro_batches} * buckets);
    for (int n = 0; ledger.missing() > 0 && n < 100000; ++n) {
      std::vector<std::uint32_t> some;
      for (std::uint32_t m = 0; m < micro_batches; ++m) {
        if (rng.chance(30)) some.push_back(m);
      }
      const std::uint32_t bucket = rng.below(buckets);
      if (some.empty() || ledger.record(some, bucket) != Entry::New) continue;
      for (const std::uint32_t m : some) ++taken[std::size_t{m} * buckets + bucket];
    }
    EXPECT_EQ(taken, std::vector<int>(taken.size(), 1));
  }
}

}  // namespace
}  // namespace weft::swarmx
