/// The tokens of a corpus, one after the other, wherever they lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace weft {

/// Pieces in memory or in mapped files, as one sequence. Copies share the pieces. Thread-safe once it is filled.
class Tokens {
 public:
  Tokens() = default;
  Tokens(std::vector<std::uint16_t> tokens);  // NOLINT: tokens are Tokens

  /// `bytes`: two to a token, little endian, at any alignment; `owner` keeps them.
  void append(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);
  void append(std::vector<std::uint16_t> tokens);
  std::uint64_t size() const { return ends_.empty() ? 0 : ends_.back(); }
  /// CRC-32C of all of them, as they lie in a shard: the same for every cut into pieces.
  std::uint32_t checksum() const;
  /// Fills `out` with tokens `first`, `first` + 1, ...; all of them must exist.
  void copy(std::uint64_t first, std::span<std::uint16_t> out) const;

 private:
  struct Piece {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
  };
  std::vector<Piece> pieces_;
  std::vector<std::uint64_t> ends_;  // [piece]: tokens up to its end
};

}  // namespace weft
