/// Assembler and disassembler (sw/asm/README.md has the syntax, docs/reference/isa.md the encodings).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sw/asm/program.hpp"

namespace weft::assembler {

/// Assembles one program from all sources, in their order. The sources share labels, constants and macros. Takes time
/// proportional to the text. Throws AssemblyError at the first error.
Program assemble(std::span<const Source> sources, const Constants& constants = {});
Program assemble(std::string_view text, std::string_view file_name, const Constants& constants = {});

/// Returns only the kernels that `.kernel` declares. Needs no constants, and accepts more instructions than a program
/// has room for. Throws AssemblyError.
std::vector<Kernel> declared_kernels(std::span<const Source> sources);

/// Returns the number of instructions in the sources, possibly more than a program has room for. Throws AssemblyError.
int instruction_count(std::span<const Source> sources);

/// Returns one instruction as text that assembles to the same word. A word the assembler would never write (an illegal
/// opcode, a bit set outside the fields, a value without a meaning) becomes `.word 0x...`.
std::string disassemble(std::uint32_t word);

}  // namespace weft::assembler
