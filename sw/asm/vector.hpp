/// Shared parts of the two readers of vector instructions.
#pragma once

#include <initializer_list>

#include "sw/asm/operands.hpp"

namespace weft::assembler {

/// `KIND[reg]`, or a bare `Z` or `A` (register 0).
struct Operand {
  std::string_view kind;
  std::uint8_t reg = 0;
};

/// Reads an operand whose kind is one of `kinds`; `role` names it in messages.
Operand read_operand(Cursor& at, const Symbols& symbols, std::initializer_list<std::string_view> kinds,
                     std::string_view role);

/// The value of an instruction's suffix. Throws a Complaint that lists the known suffixes.
int read_suffix(std::string_view mnemonic, std::string_view suffix, std::span<const std::string_view> names);

/// `vf`, `vaxs`, `vdot`.
isa::Instr read_main(isa::Opcode op, std::string_view suffix, Cursor& at, const Symbols& symbols);

/// `vs`, `vb`, `vr`.
isa::Instr read_psum(isa::Opcode op, std::string_view suffix, Cursor& at, const Symbols& symbols);

}  // namespace weft::assembler
