#include "host/generate/stop_sequences.hpp"

#include <gtest/gtest.h>

#include "tests/random.hpp"

namespace weft::generate {
namespace {

struct Shown {
  std::string text;
  bool stopped;

  friend bool operator==(const Shown&, const Shown&) = default;
};

Shown show(const std::vector<std::string>& pieces, const std::vector<std::string>& words) {
  StopSequences<char> stop(words);
  std::string text;
  for (const std::string& piece : pieces) text += stop.push(piece);
  text += stop.end();
  return {text, stop.stopped()};
}

TEST(StopSequences, EndATextBeforeTheFirstThatIsComplete) {
  EXPECT_EQ(show({"one two three"}, {}), (Shown{"one two three", false}));
  EXPECT_EQ(show({"one two three"}, {"two"}), (Shown{"one ", true}));
  EXPECT_EQ(show({"one t", "wo three"}, {"two"}), (Shown{"one ", true}));
  EXPECT_EQ(show({"one tw"}, {"two"}), (Shown{"one tw", false})) << "it was not to be";
  EXPECT_EQ(show({"aaab"}, {"aab"}), (Shown{"a", true}));
  EXPECT_EQ(show({"abcd"}, {"abcd", "c"}), (Shown{"ab", true})) << "c is complete first";
  EXPECT_EQ(show({"abcd"}, {"d", "cd"}), (Shown{"ab", true})) << "of both the longer";
  EXPECT_EQ(show({"x", "yz", "more"}, {"yz"}), (Shown{"x", true})) << "nothing any more";
}

TEST(StopSequences, HoldBackNoMoreThanMayBeTheBeginOfOne) {
  StopSequences<char> stop({"abc"});
  EXPECT_EQ(stop.push("xxa"), "xx");
  EXPECT_EQ(stop.push("b"), "");
  EXPECT_EQ(stop.push("ab"), "ab");
  EXPECT_EQ(stop.push("d"), "abd");
  EXPECT_EQ(stop.push("ab"), "");
  EXPECT_FALSE(stop.stopped());
  EXPECT_EQ(stop.end(), "ab");
}

TEST(StopSequences, AreOfTokensAsWell) {
  StopSequences<char32_t> stop({{5, 6}});
  EXPECT_EQ(stop.push({4}), (std::u32string{4}));
  EXPECT_EQ(stop.push({5}), U"");
  EXPECT_EQ(stop.push({5}), (std::u32string{5}));
  EXPECT_EQ(stop.push({6}), U"");
  EXPECT_TRUE(stop.stopped());
}

/// The definition, letter by letter: the text ends where a stop sequence ends.
TEST(StopSequences, AreThoseOfTheDefinitionHoweverTheTextIsCut) {
  test::Rng rng(test::test_seed());
  const auto word = [&](std::uint32_t most) {
    std::string text;
    for (std::uint32_t n = 1 + rng.below(most); n > 0; --n) text += static_cast<char>('a' + rng.below(2));
    return text;
  };
  int stopped = 0;
  for (int n = 0; n < 3000; ++n) {
    const std::vector<std::string> words = {word(5), word(5), word(7)};
    std::string text = word(14);
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < text.size(); at += pieces.back().size())
      pieces.push_back(text.substr(at, static_cast<std::size_t>(1 + rng.below(4))));
    Shown expected{text, false};
    for (std::size_t length = 1; length <= text.size() && !expected.stopped; ++length) {
      std::size_t most = 0;
      for (const std::string& one : words)
        if (text.substr(0, length).ends_with(one)) most = std::max(most, one.size());
      if (most > 0) expected = {text.substr(0, length - most), true};
    }
    ASSERT_EQ(show(pieces, words), expected) << text;
    stopped += expected.stopped;
  }
  EXPECT_GT(stopped, 500);
  EXPECT_LT(stopped, 2900);
}

}  // namespace
}  // namespace weft::generate
