/// An op as kernels take it: calls with their arguments, and the sweep that the last one consumes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

struct StreamCall {
  std::string kernel;
  std::map<std::string, int> arguments;
  int commands = 0;              ///< messages up to the call
  const Sweep* sweep = nullptr;  ///< of the op's last call; null: nothing comes behind it

  int argument(const std::string& name) const { return arguments.at(name); }
};

/// From the SETREG and CALL of an op, which must outlive them.
std::vector<StreamCall> stream_calls(const Program& program, const Op& op);

}  // namespace weft
