#include "host/appliance/config_error.hpp"

#include <fmt/format.h>

namespace weft {
namespace {

std::string one_line(std::string_view text) {
  constexpr std::size_t kMost = 400;
  std::string line;
  for (const char c : text.substr(0, kMost)) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) {
      line += fmt::format("\\x{:02x}", c);
    } else {
      line += c;
    }
  }
  return text.size() > kMost ? line + "..." : line;
}

}  // namespace

ConfigError Place::error(std::string_view key, std::string_view problem, std::string_view hint) const {
  std::string what = one_line(text()) + ": ";
  if (!key.empty()) what += one_line(key) + ": ";
  what += one_line(problem) + ". HINT: " + one_line(hint);
  return ConfigError(what + (hint.ends_with('?') ? "" : "."));
}

}  // namespace weft
