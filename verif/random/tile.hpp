/// A tile during the generation of its programs.
///
/// An action of several threads is a step; every thread executes its parts of the steps in the order of their
/// generation. So the first unfinished step always has all it needs, and no case deadlocks.
#pragma once

#include <algorithm>
#include <vector>

#include "verif/random/code.hpp"
#include "verif/random/rng.hpp"

namespace weft::random {

/// The part of a tile's memories reserved for one thread while both run.
struct Zone {
  int lanes = 4, elements = 0;  ///< elements of the whole SRAM
  int first = 0, size = 0;      ///< elements, whole words; begins at 0 or ends with the SRAM
  int first_entry = 0, entries = 0;
  bool general = false;  ///< vectors begin at any element

  int longest() const { return std::min(entries, size / lanes); }

  struct Vectors {
    unsigned address, stride;
  };
  /// Address of `n` vectors of `beats` words, a stride apart: in the zone, sometimes misaligned, or in a general tile
  /// at any element; past the end of SRAM, where there is no memory; or across that end.
  Vectors vectors(Rng& rng, int beats, int n) const {
    const int length = beats * lanes, room = size - length;
    const int unit = general ? 1 : lanes, shift = general ? rng.below(lanes) : 0;
    const int behind = 65536 - elements;
    if (n == 1 && rng.chance(12)) {
      if (behind >= length && rng.chance(50))
        return {static_cast<unsigned>(elements + rng.below(behind - length + 1)) / unit * unit, stride(rng)};
      const int at = shift - rng.between(1, beats) * lanes;
      if (first && behind >= length) return {static_cast<unsigned>(elements + at), stride(rng)};
      if (!first && behind >= length) return {static_cast<unsigned>(65536 + at), stride(rng)};  // wraps to 0
    }
    if (n <= 1) return {at(rng, rng.between(0, room)), stride(rng)};
    const int most = std::min(room / unit / (n - 1), 4 * lanes / unit);  // maximum stride in units
    const int step = rng.between(-most, most);
    const int way = step * (n - 1) * unit;
    const int from = way < 0 ? rng.between(-way, room) : rng.between(0, room - way);
    return {at(rng, from), static_cast<unsigned>(step * unit) & 0xffff};
  }
  /// Address of `n` single elements, a stride apart.
  Vectors scalars(Rng& rng, int n) const {
    const int most = n > 1 ? (size - 1) / (n - 1) : 0, step = rng.between(0, std::min(most, 5));
    return {static_cast<unsigned>(first + rng.below(size - step * (n - 1 > 0 ? n - 1 : 0))),
            n > 1 ? static_cast<unsigned>(step) : stride(rng)};
  }
  /// First of `beats` entries of R, modulo RDEPTH.
  unsigned entry(Rng& rng, int beats) const {
    const int e = (first_entry + rng.below(entries - beats + 1)) & 255;
    return static_cast<unsigned>(e + (rng.chance(10) ? rng.below(256) << 8 : 0));
  }

 private:
  static unsigned stride(Rng& rng) { return static_cast<unsigned>(rng.next()) & 0xffff; }
  unsigned at(Rng& rng, int offset) const {
    if (!general) offset = offset / lanes * lanes + (rng.chance(5) ? rng.below(lanes) : 0);
    return static_cast<unsigned>(first + offset) & 0xffff;
  }
};

struct Tile {
  /// Offset of fork targets: targets in psum's lines are counted from here.
  static constexpr int kPsum = 1 << 16;

  enum class State {
    Main,  ///< psum is idle: main may do anything
    Psum,  ///< main waits in a join: psum may do anything
    Both   ///< each thread uses only its zone
  };

  Tile(Rng& rng, int index) : index(index), main(rng), psum(rng) {}

  int index;
  Code main, psum;
  State state = State::Main;
  bool main_ended = false, psum_ended = false;  ///< until the next call
  int mp = 0, pm = 0;                           ///< entries in the handoff queues after the code so far has run
  Zone main_zone, psum_zone;
  // Memory shared by the threads: entries of R, 3 * ps_beats for vcr and vaxs and 48 for vdot's slots; in SRAM, 2 *
  // dy_beats words from dy on.
  int ps = 0, ps_beats = 1, dy = 0, dy_beats = 1, slots = 0;

  int size() const { return main.here() + psum.here(); }
};

}  // namespace weft::random
