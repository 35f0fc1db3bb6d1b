#include "host/tokenizer/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "host/tokenizer/unicode/characters.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view pattern) : pattern_(pattern) {}

  std::string translate() {
    while (at_ < pattern_.size()) {
      const char c = pattern_[at_];
      if (c == '\\') {
        escape();
      } else if (in_set_) {
        of_set(c);
      } else {
        outside(c);
      }
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    throw Refusal("", fmt::format("\"{}\" in the pattern {} may have another meaning in this program", what, pattern_),
                  "tokenize with the tokenizer's own program, and train on its shards");
  }
  std::string_view rest() const { return pattern_.substr(at_); }
  void take(std::size_t count) {
    out_ += rest().substr(0, count);
    at_ += count;
  }

  void of_set(char c) {
    if (c == '[' || rest().starts_with("&&")) refuse(rest().substr(0, 2));
    if (c == ']') in_set_ = false;
    take(1);
  }

  void outside(char c) {
    static constexpr std::string_view kGroups[] = {"(?:", "(?i:", "(?!", "(?=", "(?<!", "(?<=", "(?>"};
    if (c == '^' || c == '$' || c == '.') refuse(rest().substr(0, 1));
    if (c == '[') {
      in_set_ = true;
      take(rest().starts_with("[^") ? 2 : 1);
      if (rest().starts_with("]")) refuse("[]");
    } else if (rest().starts_with("(?")) {
      const auto group = std::ranges::find_if(kGroups, [&](auto one) { return rest().starts_with(one); });
      if (group == std::end(kGroups)) refuse(rest().substr(0, 3));
      take(group->size());
    } else if (c == '{') {
      interval();
    } else {
      take(1);
    }
  }

  /// {3}, {1,3}, {2,}. Oniguruma also has {,3}, and {1,3}+ is a repetition in Oniguruma but possessive in PCRE2.
  void interval() {
    const std::size_t close = pattern_.find('}', at_);
    const std::string_view inside =
        close == std::string_view::npos ? rest() : pattern_.substr(at_ + 1, close - at_ - 1);
    const bool numbers = !inside.empty() && std::isdigit(static_cast<unsigned char>(inside[0])) != 0 &&
                         inside.find_first_not_of("0123456789,") == std::string_view::npos;
    if (close == std::string_view::npos || !numbers) refuse("{");
    take(close + 1 - at_);
    if (rest().starts_with("+") || rest().starts_with("?")) refuse(fmt::format("{{{}}}{}", inside, rest()[0]));
  }

  void escape() {
    static constexpr std::string_view kSame = "sSdDrntf";  // \s: White_Space in both libraries, see pcre_text.hpp
    const char c = at_ + 1 < pattern_.size() ? pattern_[at_ + 1] : '\0';
    if (kSame.find(c) != std::string_view::npos || (std::ispunct(static_cast<unsigned char>(c)) != 0)) return take(2);
    if (c == 'p' || c == 'P') return property();
    if (c == 'u' && is_hex(2, 4)) {
      out_ += fmt::format("\\x{{{}}}", pattern_.substr(at_ + 2, 4));
      at_ += 6;
      return;
    }
    if (c == 'x' && is_hex(2, 2) && pattern_[at_ + 2] < '8') return take(4);
    refuse(rest().substr(0, 2));
  }

  bool is_hex(std::size_t from, std::size_t count) const {
    const std::string_view digits = rest().substr(std::min(from, rest().size()), count);
    return digits.size() == count && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  }

  void property() {
    const std::size_t close = pattern_.find('}', at_);
    if (!rest().substr(2).starts_with("{") || close == std::string_view::npos) refuse(rest().substr(0, 3));
    std::string_view name = pattern_.substr(at_ + 3, close - at_ - 3);
    if (name.starts_with("^")) name.remove_prefix(1);
    const auto known = [&](std::string_view one) {
      return !one.empty() && (name == one || (name.size() == 1 && name[0] == one[0] && name != "C"));
    };
    if (std::ranges::none_of(kCategoryNames, known)) refuse(pattern_.substr(at_, close + 1 - at_));
    take(close + 1 - at_);
  }

  std::string_view pattern_;
  std::size_t at_ = 0;
  bool in_set_ = false;
  std::string out_;
};

}  // namespace

std::string pattern_for_pcre2(std::string_view pattern) { return Reader(pattern).translate(); }

}  // namespace weft::tokenizer
