/// Lines of help texts.
#pragma once

#include <iosfwd>
#include <string_view>

namespace weft::config {

/// Prints `head` and `text`, wrapped at 120 columns; further lines are indented to the end of `head`.
void print_item(std::string_view head, std::string_view text, std::ostream& out);

}  // namespace weft::config
