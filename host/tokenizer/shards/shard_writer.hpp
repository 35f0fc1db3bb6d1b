/// Writes token shards in the layout of llm.c, with 16 or 32 bits per token.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "host/checkpoint/file.hpp"

namespace weft::tokenizer {

/// None: the layout of nanoGPT, tokens without a header.
enum class ShardHeader { LlmC, None };

/// Layout: 256 int32, little endian: magic, version, number of tokens, zeros; then the tokens. For 16 bits the magic is
/// 20240520 and the version 1, for 32 bits 20240801 and 7.
class ShardWriter {
 public:
  /// Each shard has `most` tokens, and the last one the remainder. `most` 0: all tokens are in `path`; otherwise shard
  /// n is path_00000n.bin. `wide`: 32 bits. All functions throw Refusal.
  ShardWriter(std::string path, bool wide, std::uint64_t most, ShardHeader header = ShardHeader::LlmC);

  void write(std::span<const std::uint32_t> ids);
  /// Moves all shards into place and returns their paths. No shard is visible before; meanwhile OUT.incomplete exists
  /// next to them (shard_set.hpp). Removes shards of an earlier run with higher numbers, because all shards in a folder
  /// are read together.
  std::vector<std::string> commit();
  /// Number of old shards that commit() removed.
  std::uint64_t removed() const { return removed_; }
  std::uint64_t tokens() const { return tokens_; }

 private:
  std::string numbered(std::uint64_t n) const;
  void remove_later();
  void begin();
  void flush();
  void end();
  void write_header();

  std::string path_;
  bool wide_;
  ShardHeader header_;
  std::uint64_t most_, tokens_ = 0, removed_ = 0;
  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<checkpoint::AtomicFile>> files_;
  std::uint64_t in_shard_ = 0, written_ = 0;  // number of tokens; number of bytes
  std::vector<std::uint8_t> buffer_;
};

}  // namespace weft::tokenizer
