/// How text is cut into words, of which no token crosses an end.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft::text {

class Splitter {
 public:
  Splitter() = default;
  Splitter(const Splitter&) = delete;
  Splitter& operator=(const Splitter&) = delete;
  virtual ~Splitter() = default;

  /// Appends the end of each word of `text`, counted in bytes from its start; the last one is the text's own. Any bytes
  /// are text: one that begins no UTF-8 is a control character of its own. Thread-safe.
  virtual void split(std::string_view text, std::vector<std::uint32_t>& ends) const = 0;

  /// Whether text may be cut between an ASCII letter and a space or line end behind it, and each part be split alone.
  virtual bool parts_at_spaces() const = 0;
};

/// The pattern of GPT-2, which the pre-tokenizer ByteLevel has of itself.
inline constexpr std::string_view kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

/// By a regular expression: each match is a word, and what is between two is one. kGpt2Pattern is done without the
/// library, with the same result. Throws Refusal without a subject if the pattern has what this library and that of
/// `tokenizers` read otherwise, or is none.
std::unique_ptr<Splitter> make_splitter(const std::string& pattern);

/// The same through PCRE2, whatever the pattern is.
std::unique_ptr<Splitter> make_regex_splitter(const std::string& pattern);

}  // namespace weft::text
