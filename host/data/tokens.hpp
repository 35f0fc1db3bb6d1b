/// The tokens of a corpus, one after the other, wherever they lie.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sw/compiler/token_id.hpp"

namespace weft {

/// A part of a corpus: in memory, or in a file.
class TokenPiece {
 public:
  TokenPiece() = default;
  TokenPiece(const TokenPiece&) = delete;
  TokenPiece& operator=(const TokenPiece&) = delete;
  virtual ~TokenPiece() = default;

  virtual std::uint64_t size() const = 0;
  /// Fills `out` with tokens `first`, `first` + 1, ...; all of them must exist. Thread-safe. Throws Refusal if they
  /// cannot be read, or are not what they were.
  virtual void copy(std::uint64_t first, std::span<TokenId> out) const = 0;
};

/// CRC-32C that goes on over tokens as they lie in a shard of uint16; of ids of 65,536 and above two bytes more.
std::uint32_t token_checksum(std::span<const TokenId> tokens, std::uint32_t before);

/// Pieces as one sequence. Copies share the pieces. Thread-safe once it is filled.
class Tokens {
 public:
  Tokens() = default;
  Tokens(std::vector<TokenId> tokens);  // NOLINT: tokens are Tokens

  /// `checksum`: what `checksum()` is with this piece.
  void append(std::shared_ptr<const TokenPiece> piece, std::uint32_t checksum);
  void append(std::vector<TokenId> tokens);
  std::uint64_t size() const { return ends_.empty() ? 0 : ends_.back(); }
  /// CRC-32C of all of them, the same for every cut into pieces: as token_checksum().
  std::uint32_t checksum() const { return checksum_; }
  /// As TokenPiece::copy.
  void copy(std::uint64_t first, std::span<TokenId> out) const;

 private:
  std::vector<std::shared_ptr<const TokenPiece>> pieces_;
  std::vector<std::uint64_t> ends_;  // [piece]: tokens up to its end
  std::uint32_t checksum_ = 0;
};

}  // namespace weft
