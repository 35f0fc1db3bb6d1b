/// A tile while its programs are being written.
///
/// Everything that several threads take part in is a step; every thread does its part of the steps in the order in
/// which they were thought of. So the first step that is not finished has all that it needs, and no case stands still
/// for ever.
#pragma once

#include <vector>

#include "verif/random/code.hpp"
#include "verif/random/zone.hpp"

namespace weft::random {

struct Tile {
  /// Targets of forks: lines of psum are counted from here.
  static constexpr int kPsum = 1 << 16;

  enum class State {
    Main,  ///< psum is idle: main may do anything
    Psum,  ///< main waits in a join: psum may do anything
    Both   ///< each keeps to its zone
  };

  Tile(Dice& dice, int index) : index(index), main(dice), psum(dice) {}

  int index;
  Code main, psum;
  State state = State::Main;
  bool main_ended = false, psum_ended = false;  ///< until the next call
  int mp = 0, pm = 0;                           ///< entries of the handoff queues, when all written so far is done
  Zone main_zone, psum_zone;
  // What goes between the threads: entries of R, three times so many for vcr and vaxs, 48 for vdot's slots; in memory,
  // from dy on, twice so many words.
  int ps = 0, ps_beats = 1, dy = 0, dy_beats = 1, slots = 0;

  int size() const { return main.here() + psum.here(); }
};

}  // namespace weft::random
