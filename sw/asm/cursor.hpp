/// Reads one line of source from left to right.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace weft::assembler {

/// An error in a line whose file and number the caller knows.
struct Complaint {
  std::string what;
  std::string hint;
};

/// Quotes source text for a message: escapes control characters as \xNN and truncates long text.
inline std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMost = 200;
  std::string shown = "'";
  for (const char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::iscntrl(byte)) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      shown += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      shown += c;
    }
  }
  return shown + (text.size() > kMost ? "...'" : "'");
}

/// A reading position in a line, which must outlive it.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) { skip_space(); }

  bool done() const { return rest_.empty(); }
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  std::string_view rest() const { return rest_; }

  /// Consumes `c` if it is the next character.
  bool eat(char c) {
    if (peek() != c) return false;
    drop(1);
    return true;
  }
  void expect(char c, const std::string& usage) {
    if (!eat(c)) throw Complaint{"expected '" + std::string(1, c) + "' " + here(), "write " + usage};
  }
  void expect_end(const std::string& usage) const {
    if (!done()) throw Complaint{"unexpected text " + here(), "write " + usage};
  }

  /// Consumes the longest run of letters, digits, `_` and `.`; empty if there is none.
  std::string_view word() {
    std::size_t n = 0;
    while (n < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[n])) || rest_[n] == '_' || rest_[n] == '.'))
      ++n;
    return drop(n);
  }
  /// Consumes everything before `stop`, but not `stop` itself.
  std::string_view until(char stop) { return drop(std::min(rest_.find(stop), rest_.size())); }

  /// The current position, for messages.
  std::string here() const { return done() ? "at the end of the line" : "at " + in_quotes(rest_); }

 private:
  std::string_view drop(std::size_t n) {
    const std::string_view taken = rest_.substr(0, n);
    rest_.remove_prefix(n);
    skip_space();
    return taken;
  }
  void skip_space() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front()))) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

}  // namespace weft::assembler
