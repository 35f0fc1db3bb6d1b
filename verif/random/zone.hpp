/// The part of a tile's memories reserved for one thread while both run.
#pragma once

#include "verif/random/rng.hpp"

namespace weft::random {

struct Zone {
  int lanes = 4, elements = 0;  ///< of the whole SRAM
  int first = 0, size = 0;      ///< elements, whole words; begins at 0 or ends with the SRAM
  int first_entry = 0, entries = 0;

  int longest() const { return std::min(entries, size / lanes); }

  struct Vectors {
    unsigned address, stride;
  };
  /// Address of `n` vectors of `beats` words, a stride apart: in the zone, sometimes misaligned; past the end of SRAM,
  /// where there is no memory; or across that end.
  Vectors vectors(Dice& dice, int beats, int n) const {
    const int length = beats * lanes, room = size - length;
    const int behind = 65536 - elements;
    if (n == 1 && dice.chance(12)) {
      if (behind >= length && dice.chance(50))
        return {static_cast<unsigned>(elements + dice.below(behind - length + 1)) / lanes * lanes, stride(dice)};
      const int words = dice.between(1, beats);
      if (first && behind >= length) return {static_cast<unsigned>(elements - words * lanes), stride(dice)};
      if (!first && behind >= length)
        return {static_cast<unsigned>(65536 - words * lanes), stride(dice)};  // wraps to 0
    }
    if (n <= 1) return {at(dice, dice.between(0, room)), stride(dice)};
    const int most = room / lanes / (n - 1);  // maximum stride in words
    const int step = dice.between(-std::min(most, 4), std::min(most, 4));
    const int way = step * (n - 1) * lanes;
    const int from = way < 0 ? dice.between(-way, room) : dice.between(0, room - way);
    return {at(dice, from), static_cast<unsigned>(step * lanes) & 0xffff};
  }
  /// Address of `n` single elements, a stride apart.
  Vectors scalars(Dice& dice, int n) const {
    const int most = n > 1 ? (size - 1) / (n - 1) : 0, step = dice.between(0, std::min(most, 5));
    return {static_cast<unsigned>(first + dice.below(size - step * (n - 1 > 0 ? n - 1 : 0))),
            n > 1 ? static_cast<unsigned>(step) : stride(dice)};
  }
  /// First of `beats` entries of R, modulo RDEPTH.
  unsigned entry(Dice& dice, int beats) const {
    const int e = (first_entry + dice.below(entries - beats + 1)) & 255;
    return static_cast<unsigned>(e + (dice.chance(10) ? dice.below(256) << 8 : 0));
  }

 private:
  static unsigned stride(Dice& dice) { return static_cast<unsigned>(dice.next()) & 0xffff; }
  unsigned at(Dice& dice, int offset) const {
    offset = offset / lanes * lanes + (dice.chance(5) ? dice.below(lanes) : 0);
    return static_cast<unsigned>(first + offset) & 0xffff;
  }
};

}  // namespace weft::random
