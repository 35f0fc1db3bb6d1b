/// Programs that hang, each at a known tile and instruction.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/deadlock/root_cause.hpp"
#include "sw/machine/message.hpp"
#include "verif/wafer.hpp"

namespace weft::deadlock {

/// A bug and the place where it must be found.
struct InjectedBug {
  std::string name;
  machine::WaferShape shape;
  assembler::Program program;
  std::vector<machine::Message> messages;  ///< routes, program, calls, weights
  Fault fault;
  int row, col;
  bool psum;
  std::string at;                        ///< `file:line` of the root cause
  std::string check_at = {};             ///< message of weft check, if it finds the bug elsewhere
  std::string says;                      ///< part of the report's first line
  bool model = true;                     ///< the model hangs, too
  bool bounded = true;                   ///< the model hangs if its links are as deep as the RTL's
  bool check = true;                     ///< the bug is in routes, programs or the stream, so weft check finds it
  std::function<void(Wafer& rtl)> harm;  ///< applied to the RTL before the last message
};

inline std::ostream& operator<<(std::ostream& out, const InjectedBug& p) { return out << p.name; }

std::vector<InjectedBug> injected_hangs();

/// The real GEMM, with a row that takes another row's output. Needs at least three rows.
InjectedBug wrong_home_row(const machine::WaferShape& shape);

/// A copy with identical programs and streams on another mesh; a route missing in row 1 is missing there as well. The
/// expected root cause still refers to the old mesh. Not for `wrong_home_row`.
InjectedBug moved(const InjectedBug& bug, const machine::WaferShape& shape);

}  // namespace weft::deadlock
