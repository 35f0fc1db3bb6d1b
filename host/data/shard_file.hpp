/// A token shard that stays on disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "host/data/open_files.hpp"
#include "host/data/token_shard.hpp"
#include "host/data/tokens.hpp"

namespace weft::data {

/// The first pass reads the whole file, checks each token against the vocabulary and keeps the CRC-32C of every block,
/// four bytes. Later reads take whole blocks and compare. A run therefore gets the tokens that were checked, or a
/// Refusal that names the file, even if the file is modified meanwhile.
class ShardFile final : public TokenPiece {
 public:
  /// Blocks of the tokens, not of the file: the header precedes block 0.
  static constexpr std::size_t kBlockBytes = 4096;

  /// Runs the first pass. Each token must be below `vocab`; `checksum` is continued over the tokens, as
  /// Tokens::checksum. Throws Refusal.
  ShardFile(std::string path, int vocab, std::shared_ptr<OpenFiles> files, std::uint32_t& checksum,
            ShardFormat format = ShardFormat::LlmC);

  std::uint64_t size() const override { return layout_.tokens; }
  void copy(std::uint64_t first, std::span<TokenId> out) const override;

 private:
  using Bytes = std::span<std::uint8_t>;

  std::size_t blocks() const { return (layout_.width * size() + kBlockBytes - 1) / kBlockBytes; }
  /// Number of bytes of `count` blocks from `first` on; the last block may be short.
  std::size_t bytes_of(std::size_t first, std::size_t count) const;
  void read(std::size_t first_block, Bytes bytes) const;

  std::string path_;
  std::shared_ptr<OpenFiles> files_;
  ShardLayout layout_;
  std::vector<std::uint32_t> checks_;  // [block]: CRC-32C
};

/// Appends the tokens of shards, which stay in their files, to `tokens`. Reads all of them once: each token must be
/// below `vocab`. Throws Refusal.
void append_token_shards(const std::vector<std::string>& paths, int vocab, Tokens& tokens,
                         ShardFormat format = ShardFormat::LlmC);

}  // namespace weft::data
