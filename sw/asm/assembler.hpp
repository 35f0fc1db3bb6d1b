/// Text to instructions and back (sw/asm/README.md has the syntax, docs/isa.md the encodings).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sw/base/refusal.hpp"

namespace weft {

/// An assembled program, to be loaded from instruction address 0.
struct Program {
  std::vector<std::uint32_t> words;             ///< [instruction address]
  std::map<std::string, std::uint16_t> labels;  ///< instruction addresses
  std::vector<int> lines;                       ///< [instruction address], the source line it came from, 1 first
};

/// Values the caller gives to names, as if by `.equ`.
using Constants = std::map<std::string, int>;

/// The source is wrong: the subject is `file:line`.
struct AssemblyError : Refusal {
  AssemblyError(std::string file_name, int line_number, const std::string& what, const std::string& hint)
      : Refusal(file_name + ":" + std::to_string(line_number), what, hint),
        file(std::move(file_name)),
        line(line_number) {}
  std::string file;
  int line;  ///< 1 first
};

/// Assembles a whole program. `file_name` is only for messages. Throws AssemblyError at the first error.
Program assemble(std::string_view source, std::string_view file_name, const Constants& constants = {});

/// One instruction as text that assembles to the same word. A word the assembler would never write (an illegal opcode,
/// a bit set outside the fields, a value without a meaning) becomes `.word 0x...`.
std::string disassemble(std::uint32_t word);

}  // namespace weft
