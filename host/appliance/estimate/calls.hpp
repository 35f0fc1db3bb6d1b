/// A stream as kernels take it: calls with their arguments, and the lines of weights behind each.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"

namespace weft {

/// What comes for one output: weights (or indices) in the order they are sent, then a CR.
struct StreamLine {
  std::vector<std::uint8_t> rows;  ///< [weights], where each goes
};

struct StreamCall {
  std::string kernel;
  std::map<std::string, int> arguments;
  int commands = 0;  ///< messages up to the call
  std::vector<StreamLine> lines;

  int argument(const std::string& name) const { return arguments.at(name); }
  std::uint64_t messages() const;
};

/// Of an op's messages: commands are SETREG, CALL and CR.
std::vector<StreamCall> stream_calls(const Program& program, const WaferShape& wafer,
                                     std::span<const Message> messages);

}  // namespace weft
