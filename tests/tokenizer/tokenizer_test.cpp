#include "host/tokenizer/tokenizer.hpp"

#include <gtest/gtest.h>

#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

std::vector<TokenId> encode(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<TokenId> tokens;
  tokenizer.encode(text, tokens);
  return tokens;
}

std::string problem(const Tokenizer& tokenizer, std::string_view text) {
  try {
    encode(tokenizer, text);
  } catch (const Refusal& e) {
    return e.problem();
  }
  return "no error";
}

TEST(Tokenizer, CharactersAreTheSortedOnesOfTheCorpus) {
  const Tokenizer t = Tokenizer::characters(characters_of("banana\n"));
  EXPECT_EQ(t.size(), 4);
  EXPECT_EQ(encode(t, "nab\n"), (std::vector<TokenId>{3, 1, 2, 0}));
  EXPECT_EQ(t.decode({3, 1, 2, 0}), "nab\n");
}

TEST(Tokenizer, ACharacterMayHaveManyBytes) {
  const Tokenizer t = Tokenizer::characters(characters_of("naïve 🧵"));
  EXPECT_EQ(t.size(), 7);
  EXPECT_EQ(encode(t, "ï🧵a"), (std::vector<TokenId>{5, 6, 1}));
  EXPECT_EQ(t.decode(encode(t, "🧵 naïve")), "🧵 naïve");
}

TEST(Tokenizer, UnknownCharacterIsReportedWithItsOffset) {
  const Tokenizer t = Tokenizer::characters(characters_of("ïab"));
  EXPECT_EQ(problem(t, "ïac"), "character 'c' (U+0063) at offset 3 is not in the vocabulary");
  EXPECT_EQ(problem(t, "aï€"), "character '€' (U+20AC) at offset 3 is not in the vocabulary");
  EXPECT_EQ(problem(t, "a\n"), "character U+000A at offset 1 is not in the vocabulary");
  EXPECT_EQ(problem(t, "a\xff"), "byte 0xff at offset 1 is not valid UTF-8");
  EXPECT_EQ(problem(t, "a\xc3"), "byte 0xc3 at offset 1 is not valid UTF-8");
}

TEST(Tokenizer, ABytesTokenIsTheByte) {
  const Tokenizer t = Tokenizer::bytes();
  EXPECT_EQ(t.size(), 256);
  EXPECT_EQ(encode(t, std::string_view("a\0\xff", 3)), (std::vector<TokenId>{97, 0, 255}));
  EXPECT_EQ(t.decode({255, 97}),
            "\xff"
            "a");
}

TEST(Tokenizer, AVocabularyHasCharactersButNotTooMany) {
  EXPECT_THROW(Tokenizer::characters({}), Refusal);
  std::vector<char32_t> many(kMostTokens);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<char32_t>(0x10000 + i);
  EXPECT_EQ(Tokenizer::characters(many).size(), kMostTokens);
  many.push_back('a');
  EXPECT_THROW(Tokenizer::characters(many), Refusal);
}

}  // namespace
}  // namespace weft::tokenizer
