/// Quoting of words in shell commands that are printed for the user.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// `text` as one word of a shell command: unchanged if no character is special, else in single quotes.
std::string shell_word(std::string_view text);

}  // namespace weft
