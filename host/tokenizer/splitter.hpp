/// Splits text into words; no token crosses the end of a word.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tokenizer {

/// Treatment of the matches of a pattern, as `behavior` of the pre-tokenizer Split of the package `tokenizers`.
enum class SplitBehavior : std::uint8_t {
  Isolated,            ///< each match is a word
  Removed,             ///< matches are left out
  MergedWithPrevious,  ///< a match ends the word before it
  MergedWithNext,      ///< a match begins the word after it
  Contiguous,          ///< adjacent matches are one word
};

/// One step of splitting. `invert`: the text between two matches counts as a match, and a match as the text between.
struct Split {
  std::string pattern;
  SplitBehavior behavior = SplitBehavior::Isolated;
  bool invert = false;
  bool operator==(const Split&) const = default;
};

class Splitter {
 public:
  /// Marks the end of a piece of text that is left out of the words.
  static constexpr std::uint32_t kRemoved = std::uint32_t{1} << 31;

  Splitter() = default;
  Splitter(const Splitter&) = delete;
  Splitter& operator=(const Splitter&) = delete;
  virtual ~Splitter() = default;

  /// Appends the end of each word of `text`, counted in bytes from its start; the last end is that of the text. A piece
  /// that is left out has kRemoved added to its end. `text` has less than kRemoved bytes. Any bytes are valid text: a
  /// byte that begins no valid UTF-8 counts as a separate control character. Thread-safe.
  virtual void split(std::string_view text, std::vector<std::uint32_t>& ends) const = 0;

  /// True if text may be cut between an ASCII letter and a following space or line end, and the parts be split
  /// separately.
  virtual bool parts_at_spaces() const = 0;
};

/// The pattern of GPT-2, which is the default of the pre-tokenizer ByteLevel.
inline constexpr std::string_view kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

/// Splits by a regular expression: a word is a match, as its behavior says, or the text between two matches.
/// kGpt2Pattern is implemented without the library, with the same result. Throws Refusal without a subject if the
/// pattern is invalid, or has a construct that this library and that of `tokenizers` interpret differently.
std::unique_ptr<Splitter> make_splitter(const Split& split);

/// As above, but always by PCRE2, even for kGpt2Pattern. Also throws if this program was built without PCRE2.
std::unique_ptr<Splitter> make_regex_splitter(const Split& split);

}  // namespace weft::tokenizer
