/// An op as kernels see it: calls with their arguments, and the descriptor that the last call consumes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::planning {

struct StreamCall {
  std::string kernel;
  std::map<std::string, int> arguments;
  int commands = 0;                                        ///< messages up to the call
  const compiler::StreamDescriptor* descriptor = nullptr;  ///< stream of the op's last call; null if none follows

  int argument(const std::string& name) const { return arguments.at(name); }
};

/// True if the call's partial sums take two cycles each, in rotating buffers. Plan files of earlier versions name such
/// kernels `*_in_turn`.
inline bool is_rotating(const StreamCall& call) {
  return call.kernel.ends_with("_rotating") || call.kernel.ends_with("_in_turn");
}

/// Extracts the calls from the SETREG and CALL commands of `op`, which must outlive the result.
std::vector<StreamCall> stream_calls(const assembler::Program& program, const compiler::Op& op);

}  // namespace weft::planning
