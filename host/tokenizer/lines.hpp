/// Lines of a text, as of files that list tokens or merges.
#pragma once

#include <cstddef>
#include <string_view>

namespace weft::tokenizer {

/// Calls `f(line, number)` for each line, numbered from 1, without its end: "\n" or "\r\n", which the last may lack.
template <class F>
void for_each_line(std::string_view text, const F& f) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    f(line, number);
  }
}

}  // namespace weft::tokenizer
