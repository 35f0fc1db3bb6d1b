/// Lexical helpers for lines and names.
#pragma once

#include <string_view>

#include "sw/asm/cursor.hpp"

namespace weft::assembler {

std::string_view without_comment(std::string_view line);

/// `text` without space at the ends.
std::string_view trimmed(std::string_view text);

/// Consumes a label `name:` at the front and returns its name; empty if there is none.
std::string_view take_label(Cursor& at);

/// 0..15 for `r0`..`r15`, else -1.
int plain_register(std::string_view name);

/// Throws Complaint if `name` is not valid as a name.
void require_name(std::string_view name);

}  // namespace weft::assembler
