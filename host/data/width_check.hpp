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
/// One of 8 bits a token has the same kinds of bytes at even and at odd positions, and a text has no control bytes;
/// the upper bytes of uint16 tokens are others than the lower ones.
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
  struct Position {             // of one number in a group of two or four
    std::uint64_t zeros = 0;    // that are 0
    std::uint64_t small = 0;    // that are an upper half
    std::uint64_t swapped = 0;  // that are one with their bytes swapped
  };
  /// Numbers of so many bits as a token may have, without those that are -1, which is padding.
  struct Groups {
    void see(std::span<const std::uint16_t> group);
    bool are_wide(bool big_endian) const;
    double share(std::uint64_t Position::*what, bool upper, bool big_endian, std::uint64_t without) const;

    std::size_t numbers = 0;  // of 16 bits in a group
    std::array<Position, 4> positions{};
    std::uint64_t count = 0, padding = 0;  // padding: groups that are 0, of `count`
  };
  void see_bytes(std::uint16_t number);
  int bits(bool big_endian) const;
  bool is_text() const;
  bool has_8_bits() const;

  Groups pairs_{2}, fours_{4};
  std::uint64_t groups_ = 0;                               // of four numbers
  std::array<std::array<std::uint64_t, 256>, 2> bytes_{};  // [lower, upper][byte], of the first numbers but padding
  std::uint64_t counted_ = 0, padding_ = 0;                // numbers whose bytes are in bytes_, and of padding
  std::uint16_t most_ = 0, most_swapped_ = 0, most_byte_ = 0;
};

}  // namespace weft
