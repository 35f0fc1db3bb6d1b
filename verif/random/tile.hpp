/// A tile during the generation of its programs.
///
/// An action of several threads is a step; every thread executes its parts of the steps in the order of their
/// generation. So the first unfinished step always has all it needs, and no case deadlocks.
#pragma once

#include <vector>

#include "verif/random/code.hpp"
#include "verif/random/zone.hpp"

namespace weft::random {

struct Tile {
  /// Offset of fork targets: targets in psum's lines are counted from here.
  static constexpr int kPsum = 1 << 16;

  enum class State {
    Main,  ///< psum is idle: main may do anything
    Psum,  ///< main waits in a join: psum may do anything
    Both   ///< each thread uses only its zone
  };

  Tile(Dice& dice, int index) : index(index), main(dice), psum(dice) {}

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
