/// Sources of a program, and the assembled program, as plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sw/base/refusal.hpp"

namespace weft::assembler {

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

}  // namespace weft::assembler
