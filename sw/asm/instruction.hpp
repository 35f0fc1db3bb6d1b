/// Reader of one instruction, from its mnemonic on.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sw/asm/cursor.hpp"
#include "sw/asm/symbols.hpp"

namespace weft::assembler {

/// Returns true if `mnemonic`, without a suffix like `.fma`, names an instruction or pseudo-instruction.
bool is_instruction(std::string_view mnemonic);

/// Returns the instruction's word. `others`: further names to suggest for an unknown mnemonic. Throws Complaint.
std::uint32_t read_instruction(std::string_view mnemonic, Cursor& at, const Symbols& symbols,
                               std::span<const std::string> others);

}  // namespace weft::assembler
