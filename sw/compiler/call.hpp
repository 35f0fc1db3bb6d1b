/// How a kernel is called: its arguments by name.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/machine/message.hpp"

namespace weft {

struct Argument {
  std::string_view name;
  std::int64_t value;     ///< -32768..65535
  std::int64_t each = 0;  ///< decode: so much more for each position (Op::moves)
};

/// SETREG for each of the kernel's parameters, then CALL. The arguments may stand in any order, but all must be there:
/// a register that a call leaves out would keep what the last one put in. Throws std::invalid_argument of a kernel
/// that the program has not, of an argument missing, unknown or given twice, and of a value that is no 16-bit number.
std::vector<Message> call_messages(const Program& program, std::string_view kernel,
                                   const std::vector<Argument>& arguments);

}  // namespace weft
