/// The first difference between two runs, as a bisection finds it.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace weft::inspect::bisect {

enum class Kind : std::uint8_t {
  Nothing,   ///< no difference
  Start,     ///< initial weights or moments
  Stream,    ///< a message into the wafer
  Tile,      ///< activity of a tile in a phase
  Returned,  ///< a returned word, although all tiles agree
  Update,    ///< weights after a step whose phases all agree: the optimizer
  Stopped,   ///< one run continues where the other stops
  Shape,     ///< the state after a step, where wafers or schedules differ so that phases cannot be compared
};

struct Finding {
  Kind kind = Kind::Nothing;
  std::uint64_t step = 0, micro_batch = 0;
  std::string phase;
  int row = -1, col = -1;          ///< Tile
  std::string place;               ///< an element, the number of a message, or an element of a tensor
  std::string a, b;                ///< the values there
  std::string by_a, by_b;          ///< the instructions that wrote them
  std::vector<std::string> notes;  ///< differences that need not matter, and consequences
};

void print(const Finding& finding, std::ostream& out);

}  // namespace weft::inspect::bisect
