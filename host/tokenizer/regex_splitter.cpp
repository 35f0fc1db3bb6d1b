#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "host/tokenizer/pattern.hpp"
#include "host/tokenizer/pcre_text.hpp"
#include "host/tokenizer/split_behavior.hpp"
#include "host/tokenizer/splitter.hpp"
#include "host/tokenizer/unicode/characters.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

/// Patterns for which text may be cut after a letter and before a space, because no word contains such a position and
/// no pattern looks behind: those of GPT-2, of GPT-4 and Llama 3, of Qwen 2.
constexpr std::string_view kPartAtSpaces[] = {kGpt2Pattern,
                                              R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)"
                                              R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
                                              R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)"
                                              R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};

class RegexSplitter final : public Splitter {
 public:
  explicit RegexSplitter(const Split& split)
      : split_(split),
        parts_(split.behavior == SplitBehavior::Isolated &&
               std::ranges::find(kPartAtSpaces, split.pattern) != std::end(kPartAtSpaces)),
        limits_(pcre2_match_context_create(nullptr), pcre2_match_context_free) {
    const std::unique_ptr<pcre2_compile_context, decltype(&pcre2_compile_context_free)> compile(
        pcre2_compile_context_create(nullptr), pcre2_compile_context_free);
    pcre2_set_newline(compile.get(), PCRE2_NEWLINE_LF);
    const std::string text = pattern_for_pcre2(split.pattern);
    int error = 0;
    PCRE2_SIZE where = 0;
    code_.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), PCRE2_UTF | PCRE2_UCP, &error,
                              &where, compile.get()));
    if (code_ == nullptr) {
      throw Refusal("",
                    fmt::format("the pattern {} is invalid: {}, at position {}", split.pattern, message(error), where),
                    "fetch the tokenizer again");
    }
    pcre2_jit_compile(code_.get(), PCRE2_JIT_COMPLETE);  // optional: without JIT, matching is slower
  }

  void split(std::string_view text, std::vector<std::uint32_t>& ends) const override {
    std::string other;
    const std::string_view seen = with_stand_ins(text, other) ? std::string_view(other) : text;
    const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> match(
        pcre2_match_data_create_from_pattern(code_.get(), nullptr), pcre2_match_data_free);
    std::size_t at = 0, end = 0;  // start of the search; end of the last word
    std::size_t last = SIZE_MAX;  // end of the last match
    const bool isolated = split_.behavior == SplitBehavior::Isolated;
    std::vector<Piece> pieces;  // unless isolated
    const auto add = [&](std::size_t to, bool is_match) {
      if (to == end && !is_match) return;
      if (!isolated) pieces.push_back({static_cast<std::uint32_t>(to), is_match != split_.invert});
      if (isolated && to > end) ends.push_back(static_cast<std::uint32_t>(to));
      end = to;
    };
    while (at < seen.size()) {
      const int found = pcre2_match(code_.get(), reinterpret_cast<PCRE2_SPTR>(seen.data()), seen.size(), at,
                                    PCRE2_NO_UTF_CHECK, match.get(), limits_.get());
      if (found == PCRE2_ERROR_NOMATCH) break;
      if (found < 0)
        throw Refusal("", "the tokenizer's pattern needs too many resources for this text: " + message(found),
                      kSmaller);
      const PCRE2_SIZE* matched = pcre2_get_ovector_pointer(match.get());
      if (matched[0] == matched[1] && matched[1] == last) {  // `tokenizers` ignores it and retries one character later
        at += static_cast<std::size_t>(character_at(seen.data() + at, seen.data() + seen.size()).bytes);
        continue;
      }
      add(matched[0], false);  // an empty match is a cut, as of (?=(\d{3})+(?!\d)) before each three digits
      add(at = last = matched[1], true);
    }
    add(seen.size(), false);
    if (!isolated) append_words(pieces, split_.behavior, ends);
  }

  bool parts_at_spaces() const override { return parts_; }

 private:
  static constexpr auto kSmaller = "cut it into smaller documents";

  static std::string message(int error) {
    char text[200];
    pcre2_get_error_message(error, reinterpret_cast<PCRE2_UCHAR*>(text), sizeof text);
    return text;
  }
  Split split_;
  bool parts_;
  std::unique_ptr<pcre2_match_context, decltype(&pcre2_match_context_free)> limits_;
  std::unique_ptr<pcre2_code, decltype(&pcre2_code_free)> code_{nullptr, pcre2_code_free};
};

}  // namespace

std::unique_ptr<Splitter> make_regex_splitter(const Split& split) { return std::make_unique<RegexSplitter>(split); }

}  // namespace weft::tokenizer
