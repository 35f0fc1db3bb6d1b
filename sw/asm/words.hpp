/// Lines and names, before they mean anything.
#pragma once

#include <string_view>

#include "sw/asm/cursor.hpp"

namespace weft::assembler {

std::string_view without_comment(std::string_view line);

/// Without space at the ends.
std::string_view trimmed(std::string_view text);

/// Takes `name:` off the front; empty if there is none.
std::string_view take_label(Cursor& at);

/// 0..15 for `r0`..`r15`, else -1.
int plain_register(std::string_view name);

/// Throws Complaint if `name` cannot be given to anything.
void require_name(std::string_view name);

}  // namespace weft::assembler
