#include "sw/asm/words.hpp"

#include <algorithm>

namespace weft::assembler {

std::string_view without_comment(std::string_view line) {
  return line.substr(0, std::min(line.find(';'), line.find("//")));
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view take_label(Cursor& at) {
  Cursor ahead = at;
  const std::string_view name = ahead.word();
  if (name.empty() || !ahead.eat(':')) return {};
  at = ahead;
  return name;
}

int plain_register(std::string_view name) {
  constexpr std::string_view kNames[] = {"r0", "r1", "r2",  "r3",  "r4",  "r5",  "r6",  "r7",
                                         "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"};
  const auto* const found = std::ranges::find(kNames, name);
  return found == std::end(kNames) ? -1 : static_cast<int>(found - kNames);
}

void require_name(std::string_view name) {
  if (name.empty() || !(std::isalpha(static_cast<unsigned char>(name.front())) || name.front() == '_'))
    throw Complaint{in_quotes(name) + " is not a name", "start a name with a letter or _"};
  if (plain_register(name) >= 0 || name == "bf16")
    throw Complaint{in_quotes(name) + " is a word of the language", "choose another name"};
}

}  // namespace weft::assembler
