#include "host/tokenizer/splitter.hpp"

#include <gtest/gtest.h>

#include "host/tokenizer/gpt2_splitter.hpp"
#include "tests/tokenizer/random_text.hpp"

namespace weft::tokenizer {
namespace {

std::vector<std::string> words(const Splitter& splitter, const std::string& text) {
  std::vector<std::uint32_t> ends;
  splitter.split(text, ends);
  std::vector<std::string> words;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    if ((end & Splitter::kRemoved) == 0) words.push_back(text.substr(begin, end - begin));
    begin = end & ~Splitter::kRemoved;
  }
  return words;
}

using Words = std::vector<std::string>;

TEST(Splitter, CutsTextAsGpt2Does) {
  const Gpt2Splitter gpt2;
  EXPECT_EQ(words(gpt2, "Hello, world!"), (Words{"Hello", ",", " world", "!"}));
  EXPECT_EQ(words(gpt2, "it's we'll 'S"), (Words{"it", "'s", " we", "'ll", " '", "S"}));
  EXPECT_EQ(words(gpt2, "a  b   c"), (Words{"a", " ", " b", "  ", " c"}));
  EXPECT_EQ(words(gpt2, "x \n\n y\n"), (Words{"x", " \n\n", " y", "\n"}));
  EXPECT_EQ(words(gpt2, "\t\tz  "), (Words{"\t", "\t", "z", "  "}));
  EXPECT_EQ(words(gpt2, "a1b22 3.4"), (Words{"a", "1", "b", "22", " 3", ".", "4"}));
  EXPECT_EQ(words(gpt2, "\u00e9t\u00e9 \u4e2d\u6587\u3002"), (Words{"\u00e9t\u00e9", " \u4e2d\u6587", "\u3002"}));
  EXPECT_EQ(words(gpt2, "a\xff\xfe!b \xc3"), (Words{"a", "\xff\xfe!", "b", " \xc3"}));
  EXPECT_EQ(words(gpt2, ""), Words{});
}

TEST(Splitter, WrittenOutAndByTheLibraryAreTheSame) {
  const Gpt2Splitter gpt2;
  const auto library = make_regex_splitter({std::string(kGpt2Pattern)});
  test::Rng rng(test::test_seed());
  for (int i = 0; i < 3000; ++i) {
    const std::string text = random_text(rng, 1 + static_cast<int>(rng.below(60)), i % 2 == 1);
    ASSERT_EQ(words(gpt2, text), words(*library, text)) << testing::PrintToString(text);
  }
}

TEST(Splitter, CutsAsGpt4sPatternDoes) {
  const auto gpt4 = make_splitter({R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)"
                                   R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"});
  EXPECT_EQ(words(*gpt4, "it'S \"so\" 12345!\n\n  x"),
            (Words{"it", "'S", " \"", "so", "\"", " ", "123", "45", "!\n\n", " ", " x"}));
  EXPECT_TRUE(gpt4->parts_at_spaces());
}

TEST(Splitter, UnmatchedTextIsAWord) {
  const auto splitter = make_splitter({R"(\d)"});
  EXPECT_EQ(words(*splitter, "ab12c"), (Words{"ab", "1", "2", "c"}));
  EXPECT_FALSE(splitter->parts_at_spaces());
}

/// Ids of SuperBPE's pattern, and of patterns with empty matches, are those of `tokenizers`.
TEST(Splitter, AnEmptyMatchCutsAsInTokenizers) {
  const auto threes = make_splitter({R"((?=(\d{3})+(?!\d)))"});
  EXPECT_EQ(words(*threes, "1234567 and 12, 345"), (Words{"1", "234", "567 and 12, ", "345"}));
  EXPECT_EQ(words(*make_splitter({R"((?=b))"}), "abbc"), (Words{"a", "b", "bc"}));
  EXPECT_EQ(words(*make_splitter({R"(x*)"}), "axxb\u00e9"), (Words{"a", "xx", "b", "\u00e9"}));
  EXPECT_EQ(words(*make_splitter({R"(x*|b)"}), "xxbb"), (Words{"xx", "b", "b"}));
}

/// The words are those of `tokenizers` 0.23.3.
TEST(Splitter, MatchesAreTreatedAsTheBehaviorSays) {
  const auto with = [](SplitBehavior behavior, bool invert) {
    return words(*make_splitter({R"(-|\d+)", behavior, invert}), "-ab--12c-d");
  };
  using enum SplitBehavior;
  EXPECT_EQ(with(Isolated, false), (Words{"-", "ab", "-", "-", "12", "c", "-", "d"}));
  EXPECT_EQ(with(Isolated, true), with(Isolated, false));
  EXPECT_EQ(with(Removed, false), (Words{"ab", "c", "d"}));
  EXPECT_EQ(with(Removed, true), (Words{"-", "-", "-", "12", "-"}));
  EXPECT_EQ(with(MergedWithPrevious, false), (Words{"-", "ab-", "-", "12", "c-", "d"}));
  EXPECT_EQ(with(MergedWithPrevious, true), (Words{"-ab", "-", "-", "12c", "-d"}));
  EXPECT_EQ(with(MergedWithNext, false), (Words{"-ab", "-", "-", "12c", "-d"}));
  EXPECT_EQ(with(MergedWithNext, true), (Words{"-", "ab-", "-", "12", "c-", "d"}));
  EXPECT_EQ(with(Contiguous, false), (Words{"-", "ab", "--12", "c", "-", "d"}));
  EXPECT_EQ(with(Contiguous, true), with(Contiguous, false));
  EXPECT_EQ(words(*make_splitter({std::string(kGpt2Pattern), Removed, true}), "a b"), (Words{"a", " b"}));
  EXPECT_EQ(words(*make_splitter({std::string(kGpt2Pattern), Removed}), "a b"), Words{});
  EXPECT_EQ(words(*make_splitter({R"((?=b))", MergedWithPrevious}), "abbc"), (Words{"a", "b", "bc"}));
}

/// Splitting in several threads relies on parts giving the words of the whole text.
TEST(Splitter, ACutBetweenALetterAndASpaceChangesNoWord) {
  test::Rng rng(test::test_seed());
  for (const auto& splitter : {make_splitter({std::string(kGpt2Pattern)}),
                               make_splitter({R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)"
                                              R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"})}) {
    ASSERT_TRUE(splitter->parts_at_spaces());
    for (int i = 0; i < 2000; ++i) {
      const std::string left = random_text(rng, 20, true) + "x",
                        right = (i % 2 ? " " : "\n") + random_text(rng, 20, true);
      Words both = words(*splitter, left);
      const Words more = words(*splitter, right);
      both.insert(both.end(), more.begin(), more.end());
      ASSERT_EQ(words(*splitter, left + right), both) << testing::PrintToString(left + right);
    }
  }
}

}  // namespace
}  // namespace weft::tokenizer
