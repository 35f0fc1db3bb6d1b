/// Calls of kernels, with arguments by name.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sw/asm/program.hpp"
#include "sw/machine/message.hpp"

namespace weft::compiler {

struct Argument {
  std::string_view name;
  std::int64_t value;     ///< -32768..65535
  std::int64_t each = 0;  ///< decode: increment per position (Op::moves)
};

/// SETREG for each of the kernel's parameters, then CALL. The arguments may be in any order, but all must be given: an
/// omitted register would keep its value from the previous call. Throws std::invalid_argument for a kernel that the
/// program does not have, for an argument that is missing, unknown or given twice, and for a value that does not fit 16
/// bits.
std::vector<machine::Message> call_messages(const assembler::Program& program, std::string_view kernel,
                                            const std::vector<Argument>& arguments);

}  // namespace weft::compiler
