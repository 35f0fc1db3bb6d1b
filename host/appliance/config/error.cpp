#include "host/appliance/config/error.hpp"

#include <fmt/format.h>

namespace weft {

std::string one_line(std::string_view text, std::size_t most) {
  std::string line;
  for (const char c : text.substr(0, most)) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) {
      line += fmt::format("\\x{:02x}", c);
    } else {
      line += c;
    }
  }
  return text.size() > most ? line + "..." : line;
}

ConfigError Place::error(std::string_view key, std::string_view problem, std::string_view hint) const {
  constexpr std::size_t kMost = 400;
  std::string what = one_line(text(), kMost) + ": ";
  if (!key.empty()) what += one_line(key, kMost) + ": ";
  what += one_line(problem, kMost) + ". HINT: " + one_line(hint, kMost);
  return ConfigError(what + (hint.ends_with('?') ? "" : "."));
}

}  // namespace weft
