/// Readers of operands: from the text after a mnemonic to an instruction word.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa.hpp"
#include "sw/asm/cursor.hpp"
#include "sw/asm/symbols.hpp"

namespace weft::assembler {

/// The value of `name` in one of isa.hpp's name tables, or -1.
int value_of_name(std::span<const std::string_view> names, std::string_view name);

/// A color that psum may use: RING, NORTH, WEST, EAST or an expression, 1..31. A machine may have fewer colors.
std::uint8_t read_color(Cursor& at, const Symbols& symbols);

/// A scalar instruction whose operands are `fields` in this order; they end the line. Throws Complaint.
std::uint32_t read_scalar(std::string_view mnemonic, isa::Opcode op, std::span<const isa::Field> fields, Cursor& at,
                          const Symbols& symbols);

/// A vector instruction; `suffix` is what follows the point of the mnemonic (`fma` of `vf.fma`). Throws Complaint.
std::uint32_t read_vector(const isa::Info& info, std::string_view suffix, Cursor& at, const Symbols& symbols);

}  // namespace weft::assembler
