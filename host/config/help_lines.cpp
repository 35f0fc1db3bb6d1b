#include "host/config/help_lines.hpp"

#include <algorithm>
#include <ostream>
#include <string>

namespace weft::config {

void print_item(std::string_view head, std::string_view text, std::ostream& out) {
  constexpr std::size_t kColumns = 120;
  const std::size_t room = kColumns - std::min(head.size(), kColumns / 2);
  out << head;
  while (text.size() > room) {
    std::size_t space = text.rfind(' ', room);
    if (space == std::string_view::npos) space = text.find(' ');
    if (space == std::string_view::npos) break;
    out << text.substr(0, space) << '\n' << std::string(head.size(), ' ');
    text.remove_prefix(space + 1);
  }
  out << text << '\n';
}

}  // namespace weft::config
