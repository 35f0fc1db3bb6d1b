#include "host/tokenizer/merges.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "host/tokenizer/word_cache.hpp"
#include "tests/random.hpp"

namespace weft::tokenizer {
namespace {

/// The definition: merges the first pair of the lowest rank until no pair remains.
std::vector<std::uint32_t> slowly(const MergeTable& table, std::vector<std::uint32_t> symbols) {
  while (true) {
    std::size_t best = symbols.size();
    std::uint32_t rank = MergeTable::kNone;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const std::uint32_t now = table.find(symbols[i], symbols[i + 1]).rank;
      if (now < rank) rank = now, best = i;
    }
    if (rank == MergeTable::kNone) return symbols;
    symbols[best] = table.find(symbols[best], symbols[best + 1]).merged;
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

/// Merges in random order, including merges of symbols that only later merges produce.
std::vector<Merge> random_merges(test::Rng& rng, std::uint32_t bytes, std::uint32_t count) {
  std::vector<Merge> merges;
  for (std::uint32_t i = 0; i < count; ++i)
    merges.push_back({rng.below(bytes + count), rng.below(bytes + count), bytes + i});
  std::vector<Merge> unlike;
  for (const Merge& merge : merges)
    if (std::ranges::none_of(unlike, [&](const Merge& m) { return m.left == merge.left && m.right == merge.right; }))
      unlike.push_back(merge);
  return unlike;
}

TEST(Merges, ShortAndLongWordsAreMergedInOrderOfRank) {
  test::Rng rng(test::test_seed());
  for (int round = 0; round < 400; ++round) {
    const MergeTable table(random_merges(rng, 4, 40));
    Merger merger(table);
    for (const int length : {0, 1, 2, 7, 39, 40, 41, 42, 150}) {
      std::vector<std::uint32_t> word;
      for (int i = 0; i < length; ++i) word.push_back(rng.below(4));
      std::vector<std::uint32_t> merged = word;
      merger.merge(merged);
      ASSERT_EQ(merged, slowly(table, word)) << length;
    }
  }
}

TEST(Merges, FirstOfEqualPairsIsMergedFirst) {
  const MergeTable table({{0, 0, 1}});
  Merger merger(table);
  for (const std::size_t length : {3u, 5u, 101u}) {
    std::vector<std::uint32_t> word(length, 0);
    merger.merge(word);
    std::vector<std::uint32_t> expected(length / 2, 1);
    expected.push_back(0);
    EXPECT_EQ(word, expected);
  }
}

TEST(Merges, LastEntryOfADuplicatePairCounts) {
  const MergeTable table({{0, 1, 2}, {1, 0, 3}, {0, 1, 4}});
  EXPECT_EQ(table.find(0, 1).rank, 2u);
  EXPECT_EQ(table.find(0, 1).merged, 4u);
  EXPECT_EQ(table.find(1, 1).rank, MergeTable::kNone);
}

TEST(Merges, AWordIsFoundAgainAndNoOtherIs) {
  WordCache cache;
  const std::vector<std::uint32_t> ids = {7, 8, 9};
  cache.keep(WordCache::key("ab"), ids);
  std::vector<std::uint32_t> found = {1};
  EXPECT_TRUE(cache.find(WordCache::key("ab"), found));
  EXPECT_EQ(found, (std::vector<std::uint32_t>{1, 7, 8, 9}));
  for (const std::string other : {"a", "abc", "ba", "ac", "b"})
    EXPECT_EQ(cache.find(WordCache::key(other), found), other == "ab") << other;
  EXPECT_FALSE(cache.find(WordCache::key(std::string_view("ab\0", 3)), found));
  cache.keep(WordCache::key("cd"), std::vector<std::uint32_t>(5, 1));
  EXPECT_FALSE(cache.find(WordCache::key("cd"), found));
}

TEST(Merges, WithRanksByResultTheFirstPairOfAResultIsMerged) {
  const std::vector<Merge> merges = {{1, 2, 9}, {0, 1, 9}};
  for (const bool by_result : {false, true}) {
    const MergeTable table(merges, by_result);
    std::vector<std::uint32_t> word = {0, 1, 2};
    Merger(table).merge(word);
    EXPECT_EQ(word, by_result ? (std::vector<std::uint32_t>{9, 2}) : (std::vector<std::uint32_t>{0, 9}));
  }
}

}  // namespace
}  // namespace weft::tokenizer
