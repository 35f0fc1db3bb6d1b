/// Token shards in the layout of llm.c: 256 int32 (magic 20240520, version 1, number of tokens, unused), then uint16
/// tokens, all little endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/appliance/data/tokens.hpp"

namespace weft {

inline constexpr std::size_t kShardHeaderBytes = 256 * 4;

/// How many tokens a shard has. `start`: its first bytes, the header if it has one; `size`: bytes of the whole file,
/// which the header must tell exactly. Throws Refusal, whose text goes on after the name of a file.
std::uint64_t parse_shard_header(std::span<const std::uint8_t> start, std::uint64_t size);

/// Whether a file starts like a shard.
bool is_token_shard(const std::string& path);

/// Compares the tokens of a shard with the vocabulary, piece by piece.
class VocabularyCheck {
 public:
  explicit VocabularyCheck(int vocab) : vocab_(vocab) {}
  /// The next bytes, two to a token.
  void see(std::span<const std::uint8_t> bytes);
  /// Throws Refusal that names the first token of `path` that is not below `vocab`, if there is one.
  void finish(const std::string& path) const;

 private:
  int vocab_, most_ = -1;  // most_: the largest token
  std::uint64_t seen_ = 0, bad_ = 0;
  std::uint16_t bad_token_ = 0;
};

/// Adds the tokens of shards, which stay in their files, to `tokens`. Reads all of them once: each must be below
/// `vocab`. Throws Refusal.
void append_token_shards(const std::vector<std::string>& paths, int vocab, Tokens& tokens);

}  // namespace weft
