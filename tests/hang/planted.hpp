/// Programs that hang, each at a known tile and instruction.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/hang/culprit.hpp"
#include "sw/machine/message.hpp"
#include "verif/wafer.hpp"

namespace weft::test {

/// What is wrong, and where it must be found.
struct Planted {
  std::string name;
  WaferShape shape;
  Program program;
  std::vector<Message> messages;  ///< routes, program, calls, weights
  hang::Fault fault;
  int row, col;
  bool psum;
  std::string at;                        ///< the culprit's `file:line`
  std::string check_at = {};             ///< what weft check says, if it finds it elsewhere
  std::string says;                      ///< a part of the report's first line
  bool model = true;                     ///< the model finds it, too
  bool bounded = true;                   ///< the model finds it if its links are as deep as the RTL's
  bool check = true;                     ///< it is in routes, programs or the stream, so it can be found beforehand
  std::function<void(Wafer& rtl)> harm;  ///< to be done to the RTL before the last message
};

inline std::ostream& operator<<(std::ostream& out, const Planted& p) { return out << p.name; }

std::vector<Planted> planted_hangs();

/// The real GEMM, with a row that takes an output of another for its own. At least three rows.
Planted wrong_home_row(const WaferShape& shape);

/// The same programs and streams on another mesh; a route that row 1 misses it misses there, too. What is said of the
/// culprit is of the old mesh. Not of `wrong_home_row`.
Planted moved(const Planted& planted, const WaferShape& shape);

}  // namespace weft::test
