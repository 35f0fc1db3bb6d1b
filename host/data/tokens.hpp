/// The tokens of a corpus as one sequence, in memory or in files.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sw/base/token_id.hpp"

namespace weft::data {

/// A part of a corpus: in memory, or in a file.
class TokenPiece {
 public:
  TokenPiece() = default;
  TokenPiece(const TokenPiece&) = delete;
  TokenPiece& operator=(const TokenPiece&) = delete;
  virtual ~TokenPiece() = default;

  virtual std::uint64_t size() const = 0;
  /// Fills `out` with tokens `first`, `first` + 1, ...; all of them must exist. Thread-safe. Throws Refusal if the
  /// tokens cannot be read or have changed on disk.
  virtual void copy(std::uint64_t first, std::span<TokenId> out) const = 0;
};

/// Continues the CRC-32C `before` over tokens as stored in a shard of uint16; ids from 65,536 on contribute two more
/// bytes.
std::uint32_t token_checksum(std::span<const TokenId> tokens, std::uint32_t before);

/// Pieces as one sequence. Copies share the pieces. Thread-safe once all pieces are appended.
class Tokens {
 public:
  Tokens() = default;
  Tokens(std::vector<TokenId> tokens);  // NOLINT: tokens are Tokens

  /// `checksum`: the value of `checksum()` including this piece.
  void append(std::shared_ptr<const TokenPiece> piece, std::uint32_t checksum);
  void append(std::vector<TokenId> tokens);
  std::uint64_t size() const { return ends_.empty() ? 0 : ends_.back(); }
  /// CRC-32C of all tokens, independent of the division into pieces: as token_checksum().
  std::uint32_t checksum() const { return checksum_; }
  /// As TokenPiece::copy.
  void copy(std::uint64_t first, std::span<TokenId> out) const;

 private:
  std::vector<std::shared_ptr<const TokenPiece>> pieces_;
  std::vector<std::uint64_t> ends_;  // [piece]: number of tokens up to its end
  std::uint32_t checksum_ = 0;
};

}  // namespace weft::data
