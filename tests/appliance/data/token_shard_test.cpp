#include "host/appliance/data/token_shard.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "sw/base/refusal.hpp"
#include "tests/appliance/temporary_folder.hpp"

namespace weft {
namespace {

std::uint64_t tokens_of(std::string_view file) {
  const std::string_view start = file.substr(0, kShardHeaderBytes);
  return parse_shard_header({reinterpret_cast<const std::uint8_t*>(start.data()), start.size()}, file.size());
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
  EXPECT_EQ(tokens_of(shard_bytes({1, 2, 515})), 3U);
  EXPECT_EQ(tokens_of(shard_bytes({})), 0U);
}

TEST(TokenShard, WhatIsWrongIsSaid) {
  EXPECT_EQ(problem(""), "is empty");
  EXPECT_EQ(problem(std::string(1000, 'x')), "is cut short: 1000 bytes, the header alone has 1024");
  EXPECT_EQ(problem(shard_bytes({1}, 20240521)), "is no token shard: it starts with 20240521, not with 20240520");
  EXPECT_EQ(problem(shard_bytes({1}, 20240520, 2)), "is a token shard of version 2, not 1");
  EXPECT_EQ(problem(shard_bytes({1, 2}, 20240520, 1, 3)), "is cut short: 3 tokens need 1030 bytes, 1028 are there");
  EXPECT_EQ(problem(shard_bytes({1, 2, 3}).substr(0, 1029)), "is cut short: 3 tokens need 1030 bytes, 1029 are there");
  EXPECT_EQ(problem(shard_bytes({1, 2}, 20240520, 1, 1)), "has 2 bytes after its 1 tokens");
  EXPECT_EQ(problem(shard_bytes({1}) + "x"), "has 1 bytes after its 1 tokens");
  std::string negative = shard_bytes({1});
  negative.replace(8, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(problem(negative), "says it has -1 tokens");
}

TEST(TokenShard, EveryPrefixIsRefused) {
  const std::string whole = shard_bytes({1, 2, 3, 4});
  for (std::size_t size = 0; size < whole.size(); ++size) ASSERT_NE(problem(whole.substr(0, size)), "no error") << size;
}

TEST(TokenShard, AFilesTokensAreReadAndChecked) {
  const TemporaryFolder folder;
  std::vector<std::uint16_t> many(10000, 7);
  many[9000] = 99;
  many[9500] = 120;
  const std::string file = folder.write("a.bin", shard_bytes(many));
  Tokens tokens;
  append_token_shards({file, file}, 121, tokens);
  ASSERT_EQ(tokens.size(), 20000U);
  std::vector<std::uint16_t> some(3);
  tokens.copy(18999, some);
  EXPECT_EQ(some, (std::vector<std::uint16_t>{7, 99, 7}));
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
  const TemporaryFolder folder;
  EXPECT_TRUE(is_token_shard(folder.write("tokens", shard_bytes({1}))));
  EXPECT_FALSE(is_token_shard(folder.write("text", "once upon a time")));
  EXPECT_FALSE(is_token_shard(folder.write("short", "on")));
  EXPECT_FALSE(is_token_shard(folder / "none"));
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(is_token_shard(folder / "pipe"));
}

}  // namespace
}  // namespace weft
