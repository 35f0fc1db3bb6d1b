#include "host/tokenizer/tiktoken.hpp"

#include <gtest/gtest.h>

#include <map>

#include "host/tokenizer/bpe_files.hpp"
#include "host/tokenizer/load.hpp"
#include "sw/base/refusal.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::tokenizer {
namespace {

using Ids = std::vector<std::uint32_t>;

std::string base64(const std::string& bytes) {
  static const std::string kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string word;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t bits = 0;
    for (std::size_t n = 0; n < 3; ++n)
      bits = bits << 8 | (at + n < bytes.size() ? static_cast<unsigned char>(bytes[at + n]) : 0);
    for (std::size_t n = 0; n < 4; ++n) word += at + n > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * n) & 63];
  }
  return word;
}

/// A vocabulary of `count` tokens: all bytes, " the", "aa", "aaa", and pairs of bytes from 0x80 on, then triples.
std::string file_of(std::size_t count) {
  std::string text;
  std::size_t rank = 0;
  const auto add = [&](const std::string& token) { text += base64(token) + " " + std::to_string(rank++) + "\n"; };
  for (int b = 0; b < 256; ++b) add(std::string(1, static_cast<char>(b)));
  for (const char* token : {" t", "he", " the", "aa", "aaa", "aaaa"}) add(token);
  for (int a = 0x80; rank < count; ++a)
    for (int b = 0x80; b < 0x100 && rank < count; ++b)
      for (int c = 0; c < 0x20 && rank < count; ++c)
        add({static_cast<char>(a), static_cast<char>(b), static_cast<char>(c)});
  return text;
}

Ids encoded(const TextTokenizer& tokenizer, const std::string& text) {
  Ids ids;
  tokenizer.encoder()->encode(text, ids);
  return ids;
}

TEST(Tiktoken, NumberOfTokensGivesPatternAndSpecialTokens) {
  const std::map<std::size_t, std::pair<const char*, std::uint32_t>> specials = {
      {50256, {"<|endoftext|>", 50256}}, {50280, {"<|endoftext|>", 50256}}, {100256, {"<|endofprompt|>", 100276}},
      {128000, {"<|eot_id|>", 128009}},  {151643, {"<|im_end|>", 151645}},  {199998, {"<|endoftext|>", 199999}}};
  for (const auto& [count, token] : specials) {
    const ByteBpe bpe(parse_tiktoken(file_of(count)));
    EXPECT_EQ(encoded(bpe, std::string("the") + token.first), (Ids{'t', 257, token.second})) << count;
    EXPECT_EQ(encoded(bpe, "1234 the"), count < 100000 ? (Ids{'1', '2', '3', '4', 258}) : encoded(bpe, "1234 the"));
  }
  const BpeParts llama = parse_tiktoken(file_of(128000));
  EXPECT_EQ(llama.special.size(), 256U);
  EXPECT_EQ(llama.special[8].text, "<|reserved_special_token_4|>");
  EXPECT_EQ(llama.special[255].text, "<|reserved_special_token_250|>");
}

/// Adjacent tokens whose bytes are a token are merged, of the lowest ranks the first; tiktoken 0.12 gives these ids.
TEST(Tiktoken, MergesTheLowestRankAndTheFirstOfEqualOnes) {
  const ByteBpe bpe(parse_tiktoken(file_of(50256)));
  EXPECT_EQ(encoded(bpe, "aa"), Ids{259});
  EXPECT_EQ(encoded(bpe, "aaa"), Ids{260});
  EXPECT_EQ(encoded(bpe, "aaaaa"), (Ids{259, 260}));
  EXPECT_EQ(encoded(bpe, "aaaaaaa"), (Ids{261, 260}));
  const ByteBpe written(parse_bpe_tokenizer_json(tokenizer_json(bpe.parts())));
  EXPECT_EQ(encoded(written, "aaaaaaa the"), (Ids{261, 260, 258}));
  EXPECT_TRUE(written.parts().ranks_by_result);
}

TEST(Tiktoken, FileIsLoadedByItsContents) {
  test::TemporaryFolder folder;
  folder.write("tokenizer.model", file_of(128000));
  const auto tokenizer = load_tokenizer(folder.path().string(), "");
  EXPECT_EQ(encoded(*tokenizer, " the<|end_of_text|>"), (Ids{258, 128001}));
  EXPECT_EQ(note_files_beside(folder / "tokenizer.model", "", *tokenizer), std::nullopt);
}

TEST(Tiktoken, DamagedFilesAreRefusedByLine) {
  const auto with = [](const std::string& text) -> std::string {
    try {
      parse_tiktoken(text);
    } catch (const Refusal& e) {
      return e.what();
    }
    return "nothing is refused";
  };
  EXPECT_SAYS(with("IQ== 0\nIg= 1\n"), "2: is not a token in base64 and its rank");
  EXPECT_SAYS(with("IQ== 0\nIg== x\n"), "2: is not a token in base64 and its rank");
  EXPECT_SAYS(with("IQ== 0\nI*== 1\n"), "2: is not a token in base64 and its rank");
  EXPECT_SAYS(with("IQ== 0\nIg==\n"), "2: is not a token in base64 and its rank");
  EXPECT_SAYS(with("IQ== 0\nIg== 0\n"), "2: has the rank 0 of an earlier line");
  EXPECT_SAYS(with("IQ== 0\nIg== 1\n"), "has 2 tokens, as no vocabulary of tiktoken");
  std::string twice = file_of(50255);
  EXPECT_SAYS(with(twice + "IQ== 50255\n"), "has the token \"!\" twice");
}

}  // namespace
}  // namespace weft::tokenizer
