/// Lines that quote a file or another program, for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// `one_line` (sw/base/refusal.hpp) of each line of `text`, of any length.
std::string quoted_lines(std::string_view text);

/// True if `text` needs no quoting: it is one line of UTF-8 that a terminal shows unchanged.
bool is_plain(std::string_view text);

}  // namespace weft
