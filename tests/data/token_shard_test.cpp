#include "host/data/token_shard.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "host/data/shard_file.hpp"
#include "sw/base/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::data {
namespace {

std::uint64_t tokens_of(std::string_view file) {
  const std::string_view start = file.substr(0, kShardHeaderBytes);
  return parse_shard_header({reinterpret_cast<const std::uint8_t*>(start.data()), start.size()}, file.size()).tokens;
}

std::string problem(std::string_view bytes) {
  try {
    tokens_of(bytes);
  } catch (const Refusal& e) {
    return e.problem();
  }
  return "no error";
}

TEST(TokenShard, TheHeaderSaysHowManyTokensFollowIt) {
  EXPECT_EQ(tokens_of(test::shard_bytes({1, 2, 515})), 3U);
  EXPECT_EQ(tokens_of(test::shard_bytes({})), 0U);
}

TEST(TokenShard, ErrorIsReported) {
  EXPECT_EQ(problem(""), "is empty");
  EXPECT_EQ(problem(test::shard_bytes({1}).substr(0, 1000)),
            "is cut short: the file has 1000 bytes, the header alone 1024");
  EXPECT_EQ(problem(std::string(1000, 'x')), "is not a token shard: it starts with 2021161080, not with 20240520");
  EXPECT_EQ(problem(test::shard_bytes({1}, 20240521)),
            "is not a token shard: it starts with 20240521, not with 20240520");
  for (const auto turned : {0x88d83401U, 0xa1d93401U})
    EXPECT_EQ(problem(test::shard_bytes({1}, static_cast<std::int32_t>(turned))),
              "is big endian: the bytes of each number are in the other order");
  EXPECT_EQ(problem(test::shard_bytes({1}, 20240520, 2)), "is a token shard of version 2, not 1");
  EXPECT_EQ(problem(test::shard_bytes({1, 2}, 20240520, 1, 3)),
            "is cut short: 3 tokens need 1030 bytes, but the file has 1028");
  EXPECT_EQ(problem(test::shard_bytes({1, 2, 3}).substr(0, 1029)),
            "is cut short: 3 tokens need 1030 bytes, but the file has 1029");
  EXPECT_EQ(problem(test::shard_bytes({1, 2, 3}, 20240520, 1, 2)), "has 2 bytes after its 2 tokens");
  EXPECT_EQ(problem(test::shard_bytes({1, 2, 3, 4}, 20240520, 1, 2)),
            "has 32 bits per token, but its header declares 16");
  EXPECT_EQ(problem("\x93NUMPY" + std::string(2000, 'x')),
            "is an array of NumPy, whose header would be read as tokens");
  EXPECT_EQ(problem(test::shard_bytes({1}) + "x"), "has 1 bytes after its 1 tokens");
  std::string negative = test::shard_bytes({1});
  negative.replace(8, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(problem(negative), "declares -1 tokens");
}

TEST(TokenShard, EveryPrefixIsRefused) {
  const std::string whole = test::shard_bytes({1, 2, 3, 4});
  for (std::size_t size = 0; size < whole.size(); ++size) ASSERT_NE(problem(whole.substr(0, size)), "no error") << size;
}

/// 32-bit tokens, as llm.c writes them for Llama 3.
std::string wide_bytes(const std::vector<std::uint32_t>& tokens, std::int32_t version = 7) {
  std::string bytes = test::shard_bytes({}, 20240801, version, static_cast<std::int32_t>(tokens.size()));
  return bytes.append(reinterpret_cast<const char*>(tokens.data()), 4 * tokens.size());
}

TEST(TokenShard, TokensMayHave32Bits) {
  EXPECT_EQ(tokens_of(wide_bytes({1, 2, 515})), 3U);
  EXPECT_EQ(problem(wide_bytes({1}, 1)), "is a token shard of version 1, not 7");
  EXPECT_EQ(problem(wide_bytes({1, 2}).substr(0, 1030)),
            "is cut short: 2 tokens need 1032 bytes, but the file has 1030");
  EXPECT_EQ(problem(wide_bytes({1, 2}).substr(0, 1028)), "has 16 bits per token, but its header declares 32");
}

TEST(TokenShard, IdsBeyond16BitsAreReadAndTheirChecksumIsTheSameForEveryCut) {
  const test::TemporaryFolder folder;
  std::vector<TokenId> ids(5000);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<TokenId>(i * 7919 % 70000);
  const auto half = ids.begin() + 2501;
  Tokens whole, cut;
  append_token_shards({folder.write("a.bin", wide_bytes(ids))}, 70000, whole);
  append_token_shards({folder.write("b.bin", wide_bytes({ids.begin(), half}))}, 70000, cut);
  cut.append(std::vector<TokenId>(half, ids.end()));
  for (const Tokens& tokens : {whole, cut}) {
    std::vector<TokenId> all(ids.size());
    tokens.copy(0, all);
    EXPECT_TRUE(all == ids);
  }
  EXPECT_EQ(whole.checksum(), cut.checksum());
  ids[17] ^= 0x10000;
  EXPECT_NE(Tokens(ids).checksum(), whole.checksum());
}

/// Training depends on the tokens only, not on the shards that contain them.
TEST(TokenShard, EveryFormatGivesTheSameTokens) {
  const test::TemporaryFolder folder;
  std::vector<TokenId> many(10000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<TokenId>(i * i % 50257);
  const std::string headerless = test::shard_bytes(many).substr(kShardHeaderBytes);
  const std::pair<std::string, ShardFormat> files[] = {
      {folder.write("a.bin", test::shard_bytes(many)), ShardFormat::LlmC},
      {folder.write("b.bin", wide_bytes({many.begin(), many.end()})), ShardFormat::LlmC},
      {folder.write("c.bin", headerless), ShardFormat::Headerless}};
  std::uint32_t checksum = 0;
  for (const auto& [file, format] : files) {
    Tokens tokens;
    append_token_shards({file}, 50257, tokens, format);
    ASSERT_EQ(tokens.size(), many.size());
    for (const std::size_t first : {0, 1, 1023, 1024, 2047, 2048, 9990}) {
      std::vector<TokenId> some(10);
      tokens.copy(first, some);
      EXPECT_TRUE(std::equal(some.begin(), some.end(), many.begin() + static_cast<std::ptrdiff_t>(first)))
          << file << first;
    }
    if (checksum == 0) checksum = tokens.checksum();
    EXPECT_EQ(tokens.checksum(), checksum) << file;
  }
}

TEST(TokenShard, ErrorInOtherFormatsIsReported) {
  const test::TemporaryFolder folder;
  const auto refused = [&](const std::string& bytes, ShardFormat format) -> std::string {
    Tokens tokens;
    try {
      append_token_shards({folder.write("x.bin", bytes)}, 100, tokens, format);
    } catch (const Refusal& e) {
      return e.problem();
    }
    return "no error";
  };
  EXPECT_EQ(refused(wide_bytes({1, 2, 65536 + 3}), ShardFormat::LlmC),
            "token 65539 at position 2 is not below model.vocab_size 100");
  EXPECT_EQ(refused(std::string("\x01\x00\x02\x00", 4), ShardFormat::Headerless), "no error");
  EXPECT_EQ(refused("abc", ShardFormat::Headerless), "has 3 bytes, an odd number");
  EXPECT_EQ(refused("", ShardFormat::Headerless), "is empty");
  EXPECT_EQ(refused("once", ShardFormat::Headerless), "token 28271 at position 0 is not below model.vocab_size 100");
  EXPECT_EQ(refused(test::shard_bytes({1, 2}), ShardFormat::Headerless), "has the header of llm.c");
  EXPECT_EQ(refused(std::string(1024, '\0'), ShardFormat::Headerless), "no error");
  EXPECT_EQ(refused("\x93NUMPY and so on", ShardFormat::Headerless),
            "is an array of NumPy, whose header would be read as tokens");
}

TEST(TokenShard, AFilesTokensAreReadAndChecked) {
  const test::TemporaryFolder folder;
  std::vector<TokenId> many(10000, 7);
  many[9000] = 99;
  many[9500] = 120;
  const std::string file = folder.write("a.bin", test::shard_bytes(many));
  Tokens tokens;
  append_token_shards({file, file}, 121, tokens);
  ASSERT_EQ(tokens.size(), 20000U);
  std::vector<TokenId> some(3);
  tokens.copy(18999, some);
  EXPECT_EQ(some, (std::vector<TokenId>{7, 99, 7}));
  try {
    append_token_shards({file}, 99, tokens);
    FAIL();
  } catch (const Refusal& e) {
    EXPECT_EQ(e.subject(), file);
    EXPECT_EQ(e.problem(), "token 99 at position 9000 is not below model.vocab_size 99");
    EXPECT_EQ(e.hint(), "use model.vocab_size 121 or more");
  }
}

TEST(TokenShard, IsKnownByItsFirstBytes) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(is_token_shard(folder.write("tokens", test::shard_bytes({1}))));
  EXPECT_FALSE(is_token_shard(folder.write("text", "once upon a time")));
  EXPECT_FALSE(is_token_shard(folder.write("short", "on")));
  EXPECT_FALSE(is_token_shard(folder / "none"));
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(is_token_shard(folder / "pipe"));
}

}  // namespace
}  // namespace weft::data
