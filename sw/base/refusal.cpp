#include "sw/base/refusal.hpp"

namespace weft {
namespace {

constexpr std::size_t kMost = 1000;  // bytes of a part

}  // namespace

std::string one_line(std::string_view text, std::size_t most) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string line;
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f) {
      line += "\\x";
      line += kDigits[byte >> 4];
      line += kDigits[byte & 15];
    } else {
      line += c;
    }
  }
  return text.size() > most ? line + "..." : line;
}

Refusal::Refusal(std::string_view subject, std::string_view problem, std::string_view hint)
    : subject_(one_line(subject, kMost)), problem_(one_line(problem, kMost)), hint_(one_line(hint, kMost)) {
  line_ = subject_ + (subject_.empty() ? "" : ": ") + problem_ + ". HINT: " + hint_ + (hint_.ends_with('?') ? "" : ".");
}

Refusal Refusal::within(std::string_view place) const {
  std::string subject = one_line(place, kMost);
  if (!subject_.empty()) subject += ": " + subject_;
  return {subject, problem_, hint_};
}

}  // namespace weft
