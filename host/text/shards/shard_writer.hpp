/// Token shards as llm.c writes them, of 16 or 32 bits a token.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "host/checkpoint/file.hpp"

namespace weft::text {

/// None: as nanoGPT has them, tokens and nothing else.
enum class ShardHeader { LlmC, None };

/// 256 int32, little endian: magic, version, number of tokens, zeros; then the tokens. Of 16 bits the magic is 20240520
/// and the version 1, of 32 bits 20240801 and 7.
class ShardWriter {
 public:
  /// A shard has `most` tokens, and the last one what is left. `most` 0: all are in `path`; else shard n is
  /// path_00000n.bin. `wide`: 32 bits. Throws Refusal, as all of these do.
  ShardWriter(std::string path, bool wide, std::uint64_t most, ShardHeader header = ShardHeader::LlmC);

  void write(std::span<const std::uint32_t> ids);
  /// Puts all shards in their places. Before, nothing of them can be seen; meanwhile OUT.incomplete is next to
  /// them (shard_set.hpp). Returns their paths. Shards of an earlier time with the numbers that follow are removed: a
  /// folder's are taken together.
  std::vector<std::string> commit();
  /// Those that commit() removed.
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
  std::vector<std::unique_ptr<AtomicFile>> files_;
  std::uint64_t in_shard_ = 0, written_ = 0;  // tokens; bytes
  std::vector<std::uint8_t> buffer_;
};

}  // namespace weft::text
