/// Special tokens, which are matched literally in the text before it is split into words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tokenizer {

struct SpecialToken {
  std::string text;  ///< not empty
  std::uint32_t id;
};

/// Finds the first special token in a text; of several that begin at the same position, the longest.
class SpecialTokens {
 public:
  SpecialTokens() = default;
  explicit SpecialTokens(std::vector<SpecialToken> tokens);

  const std::vector<SpecialToken>& all() const { return tokens_; }
  /// Calls `plain(text, offset)` for the text between special tokens, if it is not empty, and `special(id)`, in order.
  template <class Plain, class Special>
  void part(std::string_view text, const Plain& plain, const Special& special) const {
    std::size_t done = 0;
    for (std::size_t at = 0; !tokens_.empty() && at < text.size();) {
      const SpecialToken* token = starts_[static_cast<unsigned char>(text[at])] ? longest(text.substr(at)) : nullptr;
      if (token == nullptr) {
        ++at;
        continue;
      }
      if (at > done) plain(text.substr(done, at - done), done);
      special(token->id);
      done = at += token->text.size();
    }
    if (done < text.size()) plain(text.substr(done), done);
  }

 private:
  const SpecialToken* longest(std::string_view text) const;

  std::vector<SpecialToken> tokens_;                         // longer ones first
  std::vector<std::size_t> lengths_;                         // distinct lengths of the tokens, longest first
  std::map<std::string, std::size_t, std::less<>> numbers_;  // index in tokens_ of the first one with this text
  std::array<bool, 256> starts_{};                           // [byte]: true if a token begins with it
};

}  // namespace weft::tokenizer
