/// Token files without a header: what is surely not uint16, little endian, is refused.
#include <gtest/gtest.h>

#include <algorithm>

#include "host/data/token_shard.hpp"
#include "sw/base/refusal.hpp"
#include "tests/random.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace weft {
namespace {

using Ids = std::vector<std::uint32_t>;

/// Ids as words of text are distributed: small ones often, the largest rarely.
Ids like_words(std::size_t count, std::uint32_t vocab, std::uint64_t seed = 1) {
  test::Dice dice(seed);
  Ids ids(count);
  for (std::uint32_t& id : ids) id = dice.below(1 + dice.below(vocab));
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
  /// How many tokens were read, or what is wrong.
  std::string read(const std::string& bytes, int vocab) {
    Tokens tokens;
    try {
      append_token_shards({folder_.write("x.bin", bytes)}, vocab, tokens, ShardFormat::Headerless);
    } catch (const Refusal& e) {
      return e.problem();
    }
    return std::to_string(tokens.size()) + " tokens";
  }

  TemporaryFolder folder_;
};

TEST_F(Width, NumbersOf32BitsOfALargeVocabularyAreRefused) {
  EXPECT_SAYS(read(bytes_of(like_words(4000, 128256), 4), 128256), "has 32 bits a token: every second number of 16 is");
  EXPECT_SAYS(read(bytes_of(like_words(4000, 128256), 4), 50257), "has 32 bits a token: every second number of 16 is");
}

TEST_F(Width, SmallNumbersAtTheBeginningAreNotTheWholeFile) {
  Ids ids = like_words(100000, 128256);
  std::fill(ids.begin(), ids.begin() + 300, 0);  // padding
  EXPECT_SAYS(read(bytes_of(ids, 4), 128256), "has 32 bits a token");
  ids = like_words(100000, 128256);
  std::fill(ids.begin(), ids.begin() + 300, 0x3FFFFU);
  EXPECT_SAYS(read(bytes_of(ids, 4), 128256), "has 32 bits a token");
  ids[50000] = 0xFFFFFFFFU;  // -1, of a token that counts for nothing
  EXPECT_SAYS(read(bytes_of(ids, 4), 128256), "has 32 bits a token");
}

TEST_F(Width, EveryWidthAndByteOrderIsKnown) {
  for (const std::uint32_t vocab : {5U, 65U, 300U, 5000U, 50257U, 65536U, 128256U, 256000U}) {
    const Ids ids = like_words(4000, vocab);
    const int model = static_cast<int>(vocab);
    EXPECT_SAYS(read(bytes_of(ids, 4), model), "has 32 bits a token: ") << vocab;
    EXPECT_SAYS(read(bytes_of(ids, 8), model), "has 64 bits a token: ") << vocab;
    EXPECT_SAYS(read(bytes_of(ids, 4, true), model), "has 32 bits a token, big endian: ") << vocab;
    EXPECT_SAYS(read(bytes_of(ids, 8, true), model), "has 64 bits a token, big endian: ") << vocab;
    if (vocab < 65536) {
      EXPECT_SAYS(read(bytes_of(ids, 2, true), model), "is big endian: tokens are below") << vocab;
    }
  }
  EXPECT_SAYS(read(bytes_of(like_words(4000, 200), 1), 200), "has 8 bits a token, or is text");
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
  EXPECT_SAYS(read(bytes_of(like_words(4000, 60000), 2), 128256), "has 16 bits a token, too few for model.vocab_size");
}

TEST_F(Width, AnIdBeyondTheVocabularyIsFoundWhereverItIs) {
  Ids ids = like_words(100000, 50000);
  ids[99999] = 50001;
  EXPECT_EQ(read(bytes_of(ids, 2), 50000), "token 50001 at position 99999 is not below model.vocab_size 50000");
}

/// The index of Megatron-LM says what the numbers are.
TEST_F(Width, TheIndexOfMegatronIsAsked) {
  const auto index = [&](char type) {
    folder_.write("x.idx",
                  std::string("MMIDIDX\0\0", 9) + std::string("\1\0\0\0\0\0\0\0", 8) + type + std::string(16, 0));
  };
  const std::string bytes = bytes_of(like_words(1000, 500), 2);
  index(8);
  EXPECT_EQ(read(bytes, 500), "1000 tokens");
  index(4);
  EXPECT_SAYS(read(bytes, 500), "has tokens of type int32, as ");
  index(100);
  EXPECT_SAYS(read(bytes, 500), "has tokens of type 100, as ");
  folder_.write("x.idx", "another index");
  EXPECT_EQ(read(bytes, 500), "1000 tokens");
}

}  // namespace
}  // namespace weft
