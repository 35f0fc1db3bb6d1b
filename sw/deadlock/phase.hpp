/// Input of the deadlock check: the parts of a program's stream.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa.hpp"
#include "sw/asm/program.hpp"
#include "sw/compiler/stream/op.hpp"
#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"

namespace weft::deadlock {

/// A part of the stream; all tiles are at rest at its begin and at its end.
struct Phase {
  std::string name;
  std::vector<machine::Message> messages = {};
  bool known = true;                                        ///< values of MDATA are those of the actual run
  std::optional<std::vector<std::uint32_t>> returned = {};  ///< words that the host expects from each row's outlet
  /// if set, its stream replaces `messages` and is expanded when the phase is checked
  const compiler::Op* op = nullptr;
  bool registers_known = true;  ///< false: registers and control registers have any values when it begins
};

struct Input {
  machine::WaferShape shape;
  int depth = isa::kDepth;
  assembler::Program program;              ///< for names and lines
  std::vector<assembler::Program> others;  ///< further programs, if not all tiles run the first
  std::vector<Phase> phases;
};

}  // namespace weft::deadlock
