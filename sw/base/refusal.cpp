#include "sw/base/refusal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <iterator>

namespace weft {
namespace {

constexpr std::size_t kMost = 2000;  // bytes of a part

void put_byte(std::string& line, unsigned char byte) {
  constexpr char kDigits[] = "0123456789abcdef";
  line += "\\x";
  line += kDigits[byte >> 4];
  line += kDigits[byte & 15];
}

struct Letter {
  std::size_t size = 1;  ///< bytes
  std::uint32_t code = 0;
  bool good = false;  ///< it is UTF-8
};

/// Decodes the first letter.
Letter letter_of(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {1, first, true};
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return {};
  std::uint32_t code = first & (0xffU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  if (overlong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {size, code, true};
}

/// Characters that a terminal interprets or does not show: controls, line separators, marks of direction, byte order
/// marks.
bool is_control(std::uint32_t code) {
  const auto within = [code](std::uint32_t first, std::uint32_t last) { return code >= first && code <= last; };
  return code < ' ' || within(0x7f, 0x9f) || code == 0x61c || within(0x200b, 0x200f) || within(0x2028, 0x202e) ||
         within(0x2060, 0x206f) || code == 0xfeff || within(0xfff9, 0xfffb);
}

}  // namespace

std::string one_line(std::string_view text, std::size_t most) {
  std::string line;
  std::size_t at = 0;
  while (at < text.size()) {
    const Letter letter = letter_of(text.substr(at));
    if (at + letter.size > most) break;
    if (letter.good && !is_control(letter.code)) {
      line += text.substr(at, letter.size);
    } else {
      for (std::size_t i = 0; i < letter.size; ++i) put_byte(line, static_cast<unsigned char>(text[at + i]));
    }
    at += letter.size;
  }
  return at < text.size() ? line + "..." : line;
}

bool is_failure_of_disk(int error) {
  constexpr int kOfWorld[] = {EIO,    ENOSPC, EDQUOT,    ESTALE,    ENXIO,   ENODEV,   EREMOTEIO, EUCLEAN,
                              ENOMEM, ENFILE, ETIMEDOUT, EHOSTDOWN, ENOLINK, ENOTCONN, ECONNRESET};
  return std::ranges::find(kOfWorld, error) != std::end(kOfWorld);
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

Refusal Refusal::reworded(std::string_view subject, std::string_view problem, std::string_view hint) const {
  Refusal copy(subject, problem, hint);
  copy.of_world_ = of_world_;
  copy.place_ = place_;
  copy.put_together();
  return copy;
}

Refusal Refusal::caused_by(int error) const {
  Refusal copy = *this;
  copy.of_world_ = copy.of_world_ || is_failure_of_disk(error);
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
