#include "sw/base/refusal.hpp"

namespace weft {
namespace {

constexpr std::size_t kMost = 2000;  // bytes of a part

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
  put_together();
}

Refusal Refusal::within(std::string_view outer) const {
  Refusal copy = *this;
  if (!place_.empty()) return copy;
  copy.subject_ = one_line(outer, kMost) + (subject_.empty() ? "" : ": " + subject_);
  copy.put_together();
  return copy;
}

Refusal Refusal::at(std::string_view place) const {
  Refusal copy = *this;
  if (!place_.empty()) return copy;
  copy.place_ = one_line(place, kMost);
  copy.put_together();
  return copy;
}

void Refusal::put_together() {
  line_.clear();
  for (const std::string* part : {&place_, &subject_}) {
    if (!part->empty()) line_ += *part + ": ";
  }
  line_ += problem_ + ". HINT: " + hint_ + (hint_.ends_with('?') ? "" : ".");
}

}  // namespace weft
