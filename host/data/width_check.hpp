/// Numbers of another width than a headerless token file is read with, found by what its bytes are like.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace weft {

/// A file of uint16 tokens has the same kinds of numbers at even and at odd positions. One of 32 or 64 bits a token
/// has zeros or small numbers (the upper halves: a vocabulary has fewer than 2^19 tokens) at every second one or at
/// three of four; one of the other byte order has numbers that are below the vocabulary only with their bytes swapped.
class WidthCheck {
 public:
  /// The next bytes of the file; of all calls but the last a multiple of 8.
  void see(std::span<const std::uint8_t> bytes);
  /// Throws Refusal without a subject if what was seen is surely not uint16, little endian, of a vocabulary of `vocab`
  /// tokens. Of less than 64 numbers of 32 bits nothing is sure.
  void check(std::int64_t vocab) const;
  /// Throws Refusal if numbers surely have 32 or 64 bits, whatever the vocabulary is.
  void check() const;

 private:
  struct Position {             // of numbers 0, 4, 8, ...; 1, 5, 9, ...; and so on
    std::uint64_t zeros = 0;    // that are 0
    std::uint64_t small = 0;    // that are an upper half
    std::uint64_t swapped = 0;  // that are one with their bytes swapped
  };
  double share(std::uint64_t Position::*what, std::initializer_list<int> positions) const;
  int bits(bool big_endian) const;

  std::array<Position, 4> positions_{};
  std::uint64_t groups_ = 0;  // of four numbers
  std::uint16_t most_ = 0, most_swapped_ = 0, most_byte_ = 0;
};

}  // namespace weft
