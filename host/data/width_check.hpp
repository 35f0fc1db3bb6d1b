/// Detects a headerless token file whose numbers have another width than uint16, from statistics of its bytes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace weft::data {

/// A file of uint16 tokens has the same kinds of numbers at even and at odd positions. A file with 32 or 64 bits per
/// token has zeros or small numbers (the upper halves: a vocabulary has fewer than 2^19 tokens) at every second
/// position or at three of four. A file with the other byte order has numbers that are below the vocabulary size only
/// with their bytes swapped. A file with 8 bits per token has the same kinds of bytes at even and at odd positions, and
/// a text has no control bytes; the upper bytes of uint16 tokens differ in kind from the lower ones.
class WidthCheck {
 public:
  /// Examines the next bytes of the file; all calls but the last need a multiple of 8.
  void examine(std::span<const std::uint8_t> bytes);
  /// Throws Refusal without a subject if the bytes are certainly not uint16, little endian, of a vocabulary of `vocab`
  /// tokens. Files of fewer than 64 numbers of 32 bits are always accepted.
  void check(std::int64_t vocab) const;
  /// Throws Refusal if numbers certainly do not have 16 bits, for any vocabulary.
  void check() const;

 private:
  struct Position {             // statistics of one position in a group of two or four
    std::uint64_t zeros = 0;    // numbers that are 0
    std::uint64_t small = 0;    // numbers that could be an upper half
    std::uint64_t swapped = 0;  // numbers that could be one with their bytes swapped
  };
  /// Statistics of groups of numbers that could form one token; groups of -1, which is padding, are excluded.
  struct Groups {
    void examine(std::span<const std::uint16_t> group);
    bool are_wide(bool big_endian) const;
    double share(std::uint64_t Position::*what, bool upper, bool big_endian, std::uint64_t without) const;

    std::size_t numbers = 0;  // 16-bit numbers per group
    std::array<Position, 4> positions{};
    std::uint64_t count = 0, padding = 0;  // padding: groups of `count` that are 0
  };
  void see_bytes(std::uint16_t number);
  int bits(bool big_endian) const;
  bool is_text() const;
  bool has_8_bits() const;

  Groups pairs_{2}, fours_{4};
  std::uint64_t groups_ = 0;                               // groups of four numbers
  std::array<std::array<std::uint64_t, 256>, 2> bytes_{};  // [lower, upper][byte]: counts, without padding
  std::uint64_t counted_ = 0, padding_ = 0;                // numbers counted in bytes_, and numbers that are padding
  std::uint16_t most_ = 0, most_swapped_ = 0, most_byte_ = 0;
};

}  // namespace weft::data
