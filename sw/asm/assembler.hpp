/// Text to instructions and back (sw/asm/README.md has the syntax, docs/isa.md the encodings).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sw/base/refusal.hpp"

namespace weft {

/// A file of a program, or what stands for one. Neither is kept after the call it is given to.
struct Source {
  std::string_view name;  ///< for messages
  std::string_view text;
};

/// What a caller hands to a kernel in a register of main.
struct Parameter {
  std::string name;
  int reg = 0;  ///< 1..15
};

/// An entry point for CALL: what `.kernel` declares.
struct Kernel {
  std::string name;
  std::uint16_t address = 0;
  std::vector<Parameter> parameters;  ///< as declared; a call sets all of them
  std::string doc;                    ///< the comment above, without its marks; lines end with \n but for the last
  std::string file;
  int line = 0;  ///< 1 first
};

struct SourceLine {
  std::size_t file = 0;  ///< index of Program::files
  int line = 0;          ///< 1 first
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

/// An assembled program, to be loaded from instruction address 0.
struct Program {
  std::vector<std::uint32_t> words;             ///< [instruction address], at most isa::kIDepth
  std::map<std::string, std::uint16_t> labels;  ///< instruction addresses, of kernels too
  std::vector<std::string> files;               ///< the sources' names
  std::vector<SourceLine> lines;                ///< [instruction address]; of a macro's instruction, in its body
  std::vector<Kernel> kernels;                  ///< by rising address

  /// Null if there is none of this name.
  const Kernel* kernel(std::string_view name) const;
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
  int line;  ///< 1 first; 0: the caller's constants
};

/// Assembles one program of all sources, in their order: they share labels, constants and macros. Takes time
/// proportional to the text. Throws AssemblyError at the first error.
Program assemble(std::span<const Source> sources, const Constants& constants = {});
Program assemble(std::string_view text, std::string_view file_name, const Constants& constants = {});

/// Only what `.kernel` declares: no constant is needed, and more than a program has room for may be there. Throws
/// AssemblyError.
std::vector<Kernel> declared_kernels(std::span<const Source> sources);

/// How many instructions the sources are, which may be more than a program has room for. Throws AssemblyError.
int instruction_count(std::span<const Source> sources);

/// One instruction as text that assembles to the same word. A word the assembler would never write (an illegal opcode,
/// a bit set outside the fields, a value without a meaning) becomes `.word 0x...`.
std::string disassemble(std::uint32_t word);

}  // namespace weft
