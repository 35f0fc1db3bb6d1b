/// Assembler and disassembler (sw/asm/README.md has the syntax, docs/isa.md the encodings).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sw/base/refusal.hpp"

namespace weft {

/// A source file of a program, or a text in place of one. Functions that take it do not keep the views.
struct Source {
  std::string_view name;  ///< for messages
  std::string_view text;
};

/// A parameter of a kernel, which callers pass in a register of main.
struct Parameter {
  std::string name;
  int reg = 0;  ///< 1..15
};

/// An entry point for CALL, declared by `.kernel`.
struct Kernel {
  std::string name;
  std::uint16_t address = 0;
  std::vector<Parameter> parameters;  ///< as declared; a call sets all of them
  std::string doc;                    ///< the comment above, without comment marks; lines are separated by \n
  std::string file;
  int line = 0;  ///< from 1
};

struct SourceLine {
  std::size_t file = 0;  ///< index of Program::files
  int line = 0;          ///< from 1
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

/// An assembled program, to be loaded from instruction address 0.
struct Program {
  std::vector<std::uint32_t> words;             ///< [instruction address], at most isa::kIDepth
  std::map<std::string, std::uint16_t> labels;  ///< instruction addresses, including those of kernels
  std::vector<std::string> files;               ///< the sources' names
  std::vector<SourceLine> lines;  ///< [instruction address]; for a macro's instruction, a line of its body
  std::vector<Kernel> kernels;    ///< by ascending address

  /// Returns null if no kernel has this name.
  const Kernel* kernel(std::string_view name) const;
};

/// Values that the caller assigns to names, as if by `.equ`.
using Constants = std::map<std::string, int>;

/// An error in a source; the subject is `file:line`.
struct AssemblyError : Refusal {
  AssemblyError(std::string file_name, int line_number, const std::string& what, const std::string& hint)
      : Refusal(file_name + ":" + std::to_string(line_number), what, hint),
        file(std::move(file_name)),
        line(line_number) {}
  std::string file;
  int line;  ///< from 1; 0: the caller's constants
};

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

}  // namespace weft
