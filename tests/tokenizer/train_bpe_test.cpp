#include "host/tokenizer/train_bpe.hpp"

#include <gtest/gtest.h>

#include <map>

#include "sw/base/refusal.hpp"
#include "tests/says.hpp"
#include "tests/tokenizer/random_text.hpp"

namespace weft::tokenizer {
namespace {

using Merges = std::vector<std::pair<std::string, std::string>>;

TEST(TrainBpe, MergesWhatIsThereMostOften) {
  // ab: 5 + 2, bc: 5, cd: 3, abc: 5.
  const BpeParts parts =
      train_bpe({{"abc", 5}, {"ab", 2}, {"cd", 3}}, {.vocab_size = 300, .min_frequency = 1, .special = {}});
  EXPECT_EQ(parts.merges, (Merges{{"a", "b"}, {"ab", "c"}, {"c", "d"}}));
  EXPECT_EQ(parts.tokens.at(0), "!");  // the first letter that represents a byte
  EXPECT_EQ(parts.tokens.at(256), "ab");
}

TEST(TrainBpe, EqualPairWithLowerIdsIsMergedFirst) {
  const BpeParts parts =
      train_bpe({{"zy", 4}, {"ab", 4}, {"ac", 4}}, {.vocab_size = 300, .min_frequency = 1, .special = {}});
  EXPECT_EQ(parts.merges, (Merges{{"a", "b"}, {"a", "c"}, {"z", "y"}}));
}

TEST(TrainBpe, StopsAtTheSizeAndAtRarePairs) {
  const WordCounts words = {{"abc", 5}, {"ab", 2}, {"cd", 3}};
  EXPECT_EQ(train_bpe(words, {.vocab_size = 258, .special = {"<|x|>"}}).merges.size(), 1u);
  EXPECT_EQ(train_bpe(words, {.vocab_size = 300, .min_frequency = 4, .special = {}}).merges.size(), 2u);
  const BpeParts parts = train_bpe(words, {.vocab_size = 258, .special = {"<|x|>"}});
  EXPECT_EQ(parts.tokens.at(0), "<|x|>");
  EXPECT_EQ(parts.tokens.at(257), "ab");
}

/// Each merge is the most frequent pair in a full recount. (For a run of one letter the trainer updates its counts
/// incrementally, as `tokenizers` does, which differs from a recount; so no letter occurs twice in a row.)
TEST(TrainBpe, EachMergeIsTheMostFrequentPair) {
  test::Rng rng(test::test_seed());
  WordCounts words;
  for (int i = 0; i < 200; ++i) {
    std::string word;
    for (std::uint32_t n = 2 + rng.below(8); n > 0; --n) {
      const char c = static_cast<char>('a' + rng.below(5));
      if (!word.ends_with(c)) word.push_back(c);
    }
    words[word] += 1 + rng.below(9);
  }
  const BpeParts parts = train_bpe(words, {.vocab_size = 256 + 40, .min_frequency = 1, .special = {}});
  ASSERT_EQ(parts.merges.size(), 40u);
  std::map<std::vector<std::string>, std::uint64_t> now;
  for (const auto& [word, count] : words) {
    std::vector<std::string> symbols;
    for (const char c : word) symbols.emplace_back(1, c);
    now[symbols] += count;
  }
  for (const auto& [left, right] : parts.merges) {
    std::map<std::pair<std::string, std::string>, std::uint64_t> pairs;
    std::map<std::vector<std::string>, std::uint64_t> next;
    for (const auto& [word, count] : now) {
      std::vector<std::string> merged;
      for (std::size_t i = 0; i < word.size(); ++i) {
        if (i + 1 < word.size()) pairs[{word[i], word[i + 1]}] += count;
        if (!merged.empty() && merged.back() == left && word[i] == right) {
          merged.back() += right;
        } else {
          merged.push_back(word[i]);
        }
      }
      next[merged] += count;
    }
    std::uint64_t most = 0;
    for (const auto& [pair, count] : pairs) most = std::max(most, count);
    ASSERT_EQ((pairs[{left, right}]), most) << left << " " << right;
    now = next;
  }
}

TEST(TrainBpe, ItsTokenizerGivesAnyBytesBack) {
  test::Rng rng(test::test_seed());
  WordCounts words;
  for (int i = 0; i < 2000; ++i) ++words[random_text(rng, 3, true)];
  const ByteBpe bpe(train_bpe(words, {.vocab_size = 800, .special = {"<|endoftext|>"}}));
  EXPECT_EQ(bpe.size(), 800u);
  for (int i = 0; i < 500; ++i) {
    const std::string text = random_text(rng, 60, true) + "<|endoftext|>";
    std::vector<std::uint32_t> ids;
    bpe.encoder()->encode(text, ids);
    ASSERT_EQ(bpe.decode(ids), text);
    ASSERT_EQ(ids.back(), 0u);
  }
}

TEST(TrainBpe, RefusesWhatHasNoRoom) {
  const auto refused = [](const BpeTraining& training) -> std::string {
    try {
      train_bpe({}, training);
    } catch (const Refusal& e) {
      return e.what();
    }
    return "nothing is refused";
  };
  EXPECT_SAYS(refused({.vocab_size = 256, .special = {"<|x|>"}}),
              "256 tokens are fewer than the 256 bytes and the special tokens");
  EXPECT_SAYS(refused({.vocab_size = 300, .special = {"<|x|>", "<|x|>"}}), "--special: token \"<|x|>\" occurs twice");
  EXPECT_SAYS(refused({.vocab_size = 300, .special = {"x"}}), "--special: token \"x\" has fewer than 2 bytes");
}

}  // namespace
}  // namespace weft::tokenizer
