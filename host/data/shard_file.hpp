/// A token shard that stays on the disk.
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

namespace weft {

/// The first pass reads all of it, compares each token with the vocabulary and keeps four bytes of every block: its
/// CRC-32C. Later reads take whole blocks and compare. So whoever trains on it has the tokens that were checked,
/// whatever was done to the file meanwhile, or a Refusal that names it.
class ShardFile final : public TokenPiece {
 public:
  /// Of the tokens, not of the file: its header comes before block 0.
  static constexpr std::size_t kBlockBytes = 4096;

  /// The first pass. Each token must be below `vocab`; `checksum` goes on over them, as Tokens::checksum. Throws
  /// Refusal.
  ShardFile(std::string path, int vocab, std::shared_ptr<OpenFiles> files, std::uint32_t& checksum,
            ShardFormat format = ShardFormat::LlmC);

  std::uint64_t size() const override { return layout_.tokens; }
  void copy(std::uint64_t first, std::span<TokenId> out) const override;

 private:
  using Bytes = std::span<std::uint8_t>;

  std::size_t blocks() const { return (layout_.width * size() + kBlockBytes - 1) / kBlockBytes; }
  /// Bytes of `count` blocks from `first` on; the last one of all may be short.
  std::size_t bytes_of(std::size_t first, std::size_t count) const;
  void read(std::size_t first_block, Bytes bytes) const;

  std::string path_;
  std::shared_ptr<OpenFiles> files_;
  ShardLayout layout_;
  std::vector<std::uint32_t> checks_;  // [block]: CRC-32C
};

}  // namespace weft
