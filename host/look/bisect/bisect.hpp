/// Two runs that should agree: the first thing in which they do not, from the coarse to the fine.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "host/look/bisect/side.hpp"

namespace weft::bisect {

enum class Kind : std::uint8_t {
  Nothing,   ///< they agree
  Start,     ///< the weights or moments that they begin with
  Stream,    ///< a message that goes into the wafer
  Tile,      ///< what a tile does in a phase
  Returned,  ///< a word that comes back, though all tiles have the same
  Update,    ///< the weights after a step whose phases are all the same: the optimizer
  Stopped,   ///< one goes on where the other does not
  Shape,     ///< the state after a step; wafers or schedules differ, so that phases cannot be compared
};

struct Finding {
  Kind kind = Kind::Nothing;
  std::uint64_t step = 0, micro_batch = 0;
  std::string phase;
  int row = -1, col = -1;          ///< Tile
  std::string place;               ///< an element, a message's number, a tensor's element
  std::string a, b;                ///< the values there
  std::string by_a, by_b;          ///< the instruction that wrote it
  std::vector<std::string> notes;  ///< differences that need not matter, and what follows
};

/// What differs first. Asks each side for no more than is needed.
Finding bisect(Side& a, Side& b, std::ostream& progress);

void print(const Finding& finding, std::ostream& out);

}  // namespace weft::bisect
