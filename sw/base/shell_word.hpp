/// Words of commands that are printed to be typed.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// `text` as one word of a shell's: as it is if nothing in it is special, else in single quotes.
std::string shell_word(std::string_view text);

}  // namespace weft
