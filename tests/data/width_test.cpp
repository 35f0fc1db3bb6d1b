/// Token files without a header: clear deviations from little-endian uint16 are rejected.
#include <gtest/gtest.h>

#include <algorithm>

#include "host/data/shard_file.hpp"
#include "host/data/token_shard.hpp"
#include "sw/base/refusal.hpp"
#include "tests/random.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::data {
namespace {

using Ids = std::vector<std::uint32_t>;

/// Ids distributed like words in text: small ones frequent, large ones rare.
Ids like_words(std::size_t count, std::uint32_t vocab, std::uint64_t seed = 1) {
  test::Rng rng(seed);
  Ids ids(count);
  for (std::uint32_t& id : ids) id = rng.below(1 + rng.below(vocab));
  return ids;
}

std::string bytes_of(const Ids& ids, std::size_t width, bool big_endian = false) {
  std::string bytes;
  for (const std::uint64_t id : ids)
    for (std::size_t k = 0; k < width; ++k)
      bytes += static_cast<char>(id >> 8 * (big_endian ? width - 1 - k : k) & 0xFF);
  return bytes;
}

class Width : public testing::Test {
 protected:
  /// The number of tokens read, or the error.
  std::string read(const std::string& bytes, int vocab) {
    Tokens tokens;
    try {
      append_token_shards({folder_.write("x.bin", bytes)}, vocab, tokens, ShardFormat::Headerless);
    } catch (const Refusal& e) {
      return e.problem();
    }
    return std::to_string(tokens.size()) + " tokens";
  }

  test::TemporaryFolder folder_;
};

TEST_F(Width, NumbersOf32BitsOfALargeVocabularyAreRefused) {
  EXPECT_SAYS(read(bytes_of(like_words(4000, 128256), 4), 128256),
              "has 32 bits per token: every second number of 16 bits is");
  EXPECT_SAYS(read(bytes_of(like_words(4000, 128256), 4), 50257),
              "has 32 bits per token: every second number of 16 bits is");
}

TEST_F(Width, SmallNumbersAtTheBeginningAreNotTheWholeFile) {
  Ids ids = like_words(100000, 128256);
  std::fill(ids.begin(), ids.begin() + 300, 0);  // padding
  EXPECT_SAYS(read(bytes_of(ids, 4), 128256), "has 32 bits per token");
  ids = like_words(100000, 128256);
  std::fill(ids.begin(), ids.begin() + 300, 0x3FFFFU);
  EXPECT_SAYS(read(bytes_of(ids, 4), 128256), "has 32 bits per token");
  ids[50000] = 0xFFFFFFFFU;  // -1, the id of an ignored token
  EXPECT_SAYS(read(bytes_of(ids, 4), 128256), "has 32 bits per token");
}

TEST_F(Width, EveryWidthAndByteOrderIsKnown) {
  for (const std::uint32_t vocab : {5U, 65U, 300U, 5000U, 50257U, 65536U, 128256U, 256000U}) {
    const Ids ids = like_words(4000, vocab);
    const int model = static_cast<int>(vocab);
    EXPECT_SAYS(read(bytes_of(ids, 4), model), "has 32 bits per token: ") << vocab;
    EXPECT_SAYS(read(bytes_of(ids, 8), model), "has 64 bits per token: ") << vocab;
    EXPECT_SAYS(read(bytes_of(ids, 4, true), model), "has 32 bits per token, big endian: ") << vocab;
    EXPECT_SAYS(read(bytes_of(ids, 8, true), model), "has 64 bits per token, big endian: ") << vocab;
    if (vocab < 65536) {
      EXPECT_SAYS(read(bytes_of(ids, 2, true), model), "is big endian: tokens are below") << vocab;
    }
  }
  EXPECT_SAYS(read(bytes_of(like_words(4000, 200), 1), 200), "has 8 bits per token, or is text");
}

TEST_F(Width, NumbersOf16BitsAreReadWhateverTheVocabulary) {
  for (const std::uint32_t vocab : {2U, 5U, 6U, 65U, 256U, 300U, 5000U, 50257U, 65536U})
    for (std::uint64_t seed = 1; seed < 5; ++seed)
      for (const std::size_t count : {1U, 63U, 128U, 1000U}) {
        const Ids ids = like_words(count, vocab, seed);
        EXPECT_EQ(read(bytes_of(ids, 2), static_cast<int>(vocab)), std::to_string(count) + " tokens") << seed;
      }
  EXPECT_EQ(read(std::string(4096, 0), 100), "2048 tokens") << "of padding alone";
  EXPECT_EQ(read(bytes_of({5}, 2) + std::string(4096, 0), 100), "2049 tokens") << "of one token and padding";
}

TEST_F(Width, AVocabularyThatNeedsMoreThan16BitsIsRefused) {
  EXPECT_SAYS(read(bytes_of(like_words(4000, 60000), 2), 128256),
              "has 16 bits per token, too few for model.vocab_size");
}

TEST_F(Width, AnIdBeyondTheVocabularyIsFoundWhereverItIs) {
  Ids ids = like_words(100000, 50000);
  ids[99999] = 50001;
  EXPECT_EQ(read(bytes_of(ids, 2), 50000), "token 50001 at position 99999 is not below model.vocab_size 50000");
}

/// Replaces `percent` of the ids by a padding id.
Ids padded(Ids ids, std::uint32_t padding, std::uint32_t percent) {
  test::Rng rng(5);
  for (std::uint32_t& id : ids) id = rng.below(100) < percent ? padding : id;
  return ids;
}

TEST_F(Width, PaddingDoesNotHideWideNumbers) {
  for (const std::uint32_t percent : {40U, 60U, 90U})
    for (const std::uint32_t padding : {0U, 0xFFFFFFFFU}) {
      const Ids ids = padded(like_words(4000, 128256), padding, percent);
      EXPECT_SAYS(read(bytes_of(ids, 4), 65536), "has 32 bits per token: ") << percent << " % of " << padding;
      EXPECT_SAYS(read(bytes_of(ids, 4, true), 65536), "has 32 bits per token, big endian: ") << percent;
      std::string wide = bytes_of(ids, 8);
      for (std::size_t at = 0; at < wide.size(); at += 8)
        if (padding != 0 && wide[at + 3] == '\xff') wide.replace(at, 8, std::string(8, '\xff'));
      EXPECT_SAYS(read(wide, 65536), "has 64 bits per token: ") << percent << " % of " << padding;
    }
  EXPECT_SAYS(read(bytes_of(padded(like_words(4000, 5), 0xFFFFFFFFU, 40), 4), 65536), "has 32 bits per token: ");
}

TEST_F(Width, PaddingAmongNumbersOf16BitsIsRead) {
  for (const std::uint32_t vocab : {2U, 65U, 300U, 50257U, 65536U})
    for (const std::uint32_t percent : {40U, 60U, 90U, 99U})
      for (const std::uint32_t padding : {0U, 0xFFFFU})
        EXPECT_EQ(read(bytes_of(padded(like_words(4000, vocab), padding, percent), 2), 65536), "4000 tokens") << vocab;
  Ids documents = like_words(64000, 50257);  // documents of 3 to 9 tokens in samples of 64
  test::Rng rng(2);
  for (std::size_t at = 0; at < documents.size(); at += 64)
    std::fill(documents.begin() + static_cast<std::ptrdiff_t>(at + 3 + rng.below(7)),
              documents.begin() + static_cast<std::ptrdiff_t>(at + 64), 0);
  EXPECT_EQ(read(bytes_of(documents, 2), 50257), "64000 tokens");
}

/// ASCII text with the letter frequencies of prose.
std::string prose(std::size_t bytes) {
  static constexpr std::string_view kLetters = "etaoin shrdlu cmfwyp vbgkqj xz\n";
  test::Rng rng(3);
  std::string text;
  while (text.size() < bytes) text += kLetters[rng.below(1 + rng.below(static_cast<std::uint32_t>(kLetters.size())))];
  return text;
}

TEST_F(Width, ATextIsRefusedWhateverTheVocabulary) {
  for (const std::size_t bytes : {256U, 4000U, 1000000U})
    EXPECT_SAYS(read(prose(bytes), 50257), "is text, or has 8 bits");
  std::string greek;
  for (const char letter : prose(4000))
    greek += letter == ' ' ? " " : std::string("\xce") + static_cast<char>(letter | 0x80);
  greek.resize(greek.size() / 2 * 2);
  EXPECT_SAYS(read(greek, 65536), "is text, or has 8 bits");
}

TEST_F(Width, NumbersOf8BitsAreRefusedWhateverTheVocabulary) {
  for (const std::uint32_t vocab : {13U, 65U, 128U, 200U, 256U})
    for (const std::size_t count : {20000U, 1000000U}) {
      const Ids ids = like_words(count, vocab);
      EXPECT_SAYS(read(bytes_of(ids, 1), 65536), "has 8 bits per token, or is text") << vocab;
      EXPECT_SAYS(read(bytes_of(padded(ids, 0, 30), 1), 65536), "has 8 bits per token, or is text") << vocab;
    }
}

TEST_F(Width, NumbersOf16BitsWithFewOrEvenlySpreadBytesAreRead) {
  test::Rng rng(4);
  for (const std::size_t count : {200U, 4000U, 1000000U}) {
    for (const std::uint32_t vocab : {2U, 65U, 128U, 257U, 300U, 8192U, 50257U, 65536U}) {
      Ids even(count);
      for (std::uint32_t& id : even) id = rng.below(vocab);
      EXPECT_EQ(read(bytes_of(even, 2), 65536), std::to_string(count) + " tokens") << vocab;
    }
    Ids letters = like_words(count, 128);  // values of 256 and more are pairs of letters
    for (std::uint32_t& id : letters) id += rng.below(2) == 0 ? 0 : 256;
    EXPECT_EQ(read(bytes_of(letters, 2), 65536), std::to_string(count) + " tokens");
    Ids codes(count);  // image codes, numbered after the ids of words
    for (std::uint32_t& id : codes) id = 0x8000 + rng.below(8192);
    EXPECT_EQ(read(bytes_of(codes, 2), 65536), std::to_string(count) + " tokens");
  }
}

TEST_F(Width, FilesOfOtherProgramsAreCalledByTheirNames) {
  EXPECT_SAYS(read(std::string("GGUF\3\0\0\0", 8) + bytes_of(like_words(4000, 65536), 2), 65536),
              "is a file of llama.cpp (GGUF or GGML), not a file of tokens");
  EXPECT_SAYS(read("PAR1" + bytes_of(like_words(4000, 65536), 2) + "x", 65536), "is a table of Parquet");
}

/// Megatron-LM's index file gives the type of the ids.
TEST_F(Width, TheIndexOfMegatronIsAsked) {
  const auto index = [&](char type) {
    folder_.write("x.idx",
                  std::string("MMIDIDX\0\0", 9) + std::string("\1\0\0\0\0\0\0\0", 8) + type + std::string(16, 0));
  };
  const std::string bytes = bytes_of(like_words(1000, 500), 2);
  index(8);
  EXPECT_EQ(read(bytes, 500), "1000 tokens");
  index(4);
  EXPECT_SAYS(read(bytes, 500), "has tokens of type int32 according to ");
  index(100);
  EXPECT_SAYS(read(bytes, 500), "has tokens of type 100 according to ");
  folder_.write("x.idx", "another index");
  EXPECT_EQ(read(bytes, 500), "1000 tokens");
}

}  // namespace
}  // namespace weft::data
