/// One instruction, from its mnemonic on.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sw/asm/cursor.hpp"
#include "sw/asm/symbols.hpp"

namespace weft::assembler {

/// Whether an instruction or pseudo-instruction is called so, whatever stands behind a point.
bool is_instruction(std::string_view mnemonic);

/// The word; `others`: what else could have been meant. Throws Complaint.
std::uint32_t read_instruction(std::string_view mnemonic, Cursor& at, const Symbols& symbols,
                               std::span<const std::string> others);

}  // namespace weft::assembler
