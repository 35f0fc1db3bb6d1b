/// Token shards, all little endian. In the layout of llm.c: 256 int32 (magic 20240520, version 1, number of tokens,
/// unused) and uint16 tokens, or magic 20240801, version 7 and uint32 tokens. In the layout of nanoGPT: uint16 tokens
/// without a header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/data/tokens.hpp"

namespace weft::data {

inline constexpr std::size_t kShardHeaderBytes = 256 * 4;

/// Headerless files cannot be recognized by their contents.
enum class ShardFormat { LlmC, Headerless };
/// The format named by train_input.shard_format: "llm.c", "nanogpt".
ShardFormat shard_format(const std::string& name);

struct ShardLayout {
  std::uint64_t tokens = 0;
  std::size_t header = kShardHeaderBytes, width = 2;  ///< bytes of the header, bytes per token
};

/// The layout of a shard. `start`: its first bytes, including the header if there is one; `size`: bytes of the whole
/// file, which must agree exactly with the header. Throws Refusal, whose text continues after the name of a file.
ShardLayout parse_shard_header(std::span<const std::uint8_t> start, std::uint64_t size,
                               ShardFormat format = ShardFormat::LlmC);

/// True if a file starts with the header of a shard.
bool is_token_shard(const std::string& path);

/// Checks the tokens of a shard against the vocabulary, part by part.
class VocabularyCheck {
 public:
  explicit VocabularyCheck(int vocab) : vocab_(vocab) {}
  /// Checks the next bytes, `width` bytes per token: two or four.
  void examine(std::span<const std::uint8_t> bytes, std::size_t width = 2);
  /// Throws Refusal that names the first token of `path` that is not below `vocab`, if there is one.
  void finish(const std::string& path) const;

 private:
  template <class Id>
  void see_as(std::span<const std::uint8_t> bytes);

  std::int64_t vocab_, most_ = -1;  // most_: the largest token
  std::uint64_t seen_ = 0, bad_ = 0;
  std::uint32_t bad_token_ = 0;
};

}  // namespace weft::data
