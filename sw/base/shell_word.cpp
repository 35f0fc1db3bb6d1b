#include "sw/base/shell_word.hpp"

namespace weft {

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  std::string result = "'";
  for (const char c : text) c == '\'' ? result += "'\\''" : result += c;
  return result + "'";
}

}  // namespace weft
