/// `.kernel NAME x=r1 ...` and `.routine NAME x=r1 ...`: a label with names for registers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sw/asm/cursor.hpp"
#include "sw/asm/program.hpp"

namespace weft::assembler {

struct Routine {
  std::string_view name;
  std::vector<Parameter> parameters;
};

/// Reads the rest of the line after `directive`. A kernel's parameters must have different registers, none of them r0.
/// Throws Complaint.
Routine read_routine(std::string_view directive, Cursor& at);

/// The text of comment lines, without comment marks and without space at the ends.
std::string plain_comment(std::string_view lines);

}  // namespace weft::assembler
