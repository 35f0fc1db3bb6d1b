/// Token shards, all little endian: in the layout of llm.c, 256 int32 (magic 20240520, version 1, number of tokens,
/// unused) and uint16 tokens, or 20240801, 7 and uint32 tokens; or as nanoGPT has them, uint16 tokens and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/data/tokens.hpp"

namespace weft {

inline constexpr std::size_t kShardHeaderBytes = 256 * 4;

/// Headerless: nothing in the file says that it is one.
enum class ShardFormat { LlmC, Headerless };
/// Of train_input.shard_format: "llm.c", "nanogpt".
ShardFormat shard_format(const std::string& name);

struct ShardLayout {
  std::uint64_t tokens = 0;
  std::size_t header = kShardHeaderBytes, width = 2;  ///< bytes: of the header, of a token
};

/// What a shard has. `start`: its first bytes, the header if it has one; `size`: bytes of the whole file, which the
/// header must tell exactly. Throws Refusal, whose text goes on after the name of a file.
ShardLayout parse_shard_header(std::span<const std::uint8_t> start, std::uint64_t size,
                               ShardFormat format = ShardFormat::LlmC);

/// Whether a file starts like a shard.
bool is_token_shard(const std::string& path);

/// Compares the tokens of a shard with the vocabulary, piece by piece.
class VocabularyCheck {
 public:
  explicit VocabularyCheck(int vocab) : vocab_(vocab) {}
  /// The next bytes, two or four to a token.
  void see(std::span<const std::uint8_t> bytes, std::size_t width = 2);
  /// Throws Refusal that names the first token of `path` that is not below `vocab`, if there is one.
  void finish(const std::string& path) const;

 private:
  template <class Id>
  void see_as(std::span<const std::uint8_t> bytes);

  std::int64_t vocab_, most_ = -1;  // most_: the largest token
  std::uint64_t seen_ = 0, bad_ = 0;
  std::uint32_t bad_token_ = 0;
};

/// Adds the tokens of shards, which stay in their files, to `tokens`. Reads all of them once: each must be below
/// `vocab`. Throws Refusal.
void append_token_shards(const std::vector<std::string>& paths, int vocab, Tokens& tokens,
                         ShardFormat format = ShardFormat::LlmC);

}  // namespace weft
