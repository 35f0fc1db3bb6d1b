#include "sw/base/quoted_lines.hpp"

#include "sw/base/refusal.hpp"

namespace weft {

std::string quoted_lines(std::string_view text) {
  std::string lines;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    lines += one_line(text.substr(0, end), end) + '\n';
    text.remove_prefix(end + 1);
  }
  return lines + one_line(text, text.size());
}

bool is_plain(std::string_view text) { return one_line(text, text.size()) == text; }

}  // namespace weft
