#include <gtest/gtest.h>

#include "host/tokenizer/bpe_files.hpp"
#include "host/tokenizer/train_bpe.hpp"
#include "host/tokenizer/unicode/byte_unicode_map.hpp"
#include "sw/base/refusal.hpp"
#include "tests/says.hpp"
#include "tests/tokenizer/random_text.hpp"

namespace weft::tokenizer {
namespace {

using Ids = std::vector<std::uint32_t>;

/// The 256 bytes in order, "<|end|>", " t", "he", " the", "ll", "lo", "llo".
BpeParts small() {
  BpeParts parts;
  for (std::uint32_t b = 0; b < 256; ++b) parts.tokens[b] = std::string(1, static_cast<char>(b));
  parts.tokens[256] = "<|end|>";
  const std::pair<std::string, std::string> merges[] = {{" ", "t"}, {"h", "e"}, {" t", "he"},
                                                        {"l", "l"}, {"l", "o"}, {"ll", "o"}};
  for (const auto& merge : merges) {
    parts.tokens[static_cast<std::uint32_t>(parts.tokens.size())] = merge.first + merge.second;
    parts.merges.push_back(merge);
  }
  parts.special = {{"<|end|>", 256}};
  parts.splits = {{std::string(kGpt2Pattern)}};
  return parts;
}

Ids encode(const ByteBpe& bpe, const std::string& text) {
  Ids ids;
  bpe.encoder()->encode(text, ids);
  return ids;
}

TEST(Bpe, GivesTheIdsThatItsMergesSay) {
  const ByteBpe bpe(small());
  EXPECT_EQ(bpe.size(), 263u);
  EXPECT_EQ(encode(bpe, "hello the"), (Ids{258, 262, 259}));
  EXPECT_EQ(encode(bpe, "lllo"), (Ids{260, 261}));       // "ll" has the lower rank and is merged first; "lo" remains
  EXPECT_EQ(encode(bpe, "t he"), (Ids{'t', ' ', 258}));  // no token extends beyond a word's end
  EXPECT_EQ(encode(bpe, "\u00e9"), (Ids{0xc3, 0xa9}));
  EXPECT_EQ(encode(bpe, ""), Ids{});
}

TEST(Bpe, SpecialTokensAreFoundAsTheyReadAndTheLongestOfThose) {
  BpeParts parts = small();
  parts.special.push_back({"<|end|>>", 300});
  parts.added = {{"hello", 301}};
  const ByteBpe bpe(std::move(parts));
  EXPECT_EQ(bpe.size(), 302u);
  EXPECT_EQ(encode(bpe, "a<|end|>the<|end|>><|end|"), (Ids{'a', 256, 't', 258, 300, '<', '|', 'e', 'n', 'd', '|'}));
  EXPECT_EQ(encode(bpe, "hello<|end|>hellohell"), (Ids{301, 256, 301, 258, 260}));
  EXPECT_EQ(bpe.id_of("<|end|>"), 256u);
  EXPECT_EQ(bpe.id_of(" the"), 259u);
  EXPECT_EQ(bpe.id_of("xyz"), std::nullopt);
  EXPECT_EQ(bpe.decode(Ids{300, 258, 299, 9999}), "<|end|>>he");  // 299: no such token
}

TEST(Bpe, AnyBytesComeBack) {
  const ByteBpe bpe(small());
  test::Rng rng(test::test_seed());
  const auto encoder = bpe.encoder();
  for (int i = 0; i < 2000; ++i) {
    const std::string text = random_text(rng, 40, true) + (i % 3 ? "" : "<|end|>") + random_text(rng, 5, true);
    Ids ids;
    encoder->encode(text, ids);
    ASSERT_EQ(bpe.decode(ids), text);
    ASSERT_EQ(ids, encode(bpe, text)) << "what the encoder met before changes nothing";
  }
}

TEST(Bpe, AWholeWordIsItsTokenWhereTheFileSaysSo) {
  BpeParts parts = small();
  parts.tokens[400] = "lllo";
  EXPECT_EQ(encode(ByteBpe(parts), "lllo"), (Ids{260, 261}));
  parts.whole_words = true;
  EXPECT_EQ(encode(ByteBpe(parts), "lllo"), (Ids{400}));
}

TEST(Bpe, AByteWithoutATokenIsRefusedWithItsPlace) {
  BpeParts parts = small();
  parts.tokens.erase('z');
  const ByteBpe bpe(std::move(parts));
  try {
    encode(bpe, "hello<|end|> xyz");
    FAIL();
  } catch (const Refusal& e) {
    EXPECT_SAYS(e.what(), "byte 0x7a at offset 15 is not in the vocabulary");
  }
}

TEST(Bpe, ADocumentIsCutBehindALetterOnly) {
  const ByteBpe bpe(small());
  EXPECT_EQ(bpe.cut("ab cd. ef", 0), 2u);
  EXPECT_EQ(bpe.cut("ab cd. ef\n", 3), 9u);
  EXPECT_EQ(bpe.cut("ab. cd1 ", 0), std::string::npos);
  BpeParts parts = small();
  parts.special.push_back({"<end of>", 300});
  EXPECT_EQ(ByteBpe(std::move(parts)).cut("ab cd. ef", 0), std::string::npos) << "it may be within the token";
}

TEST(Bpe, LettersStandForBytes) {
  std::string all;
  for (int b = 0; b < 256; ++b) all.push_back(static_cast<char>(b));
  EXPECT_EQ(bytes_of_letters(letters_of_bytes(all)), all);
  EXPECT_EQ(letters_of_bytes(" a\n\x7f\xad"), "\u0120a\u010a\u0121\u0143");
  EXPECT_EQ(bytes_of_letters("a b"), std::nullopt);
}

}  // namespace
}  // namespace weft::tokenizer
