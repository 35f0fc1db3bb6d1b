/// Text to token ids and back.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// A token is a character (a Unicode code point of UTF-8 text) of a vocabulary, or a byte.
class Tokenizer {
 public:
  /// Token = byte, 256 of them.
  static Tokenizer bytes();
  /// The vocabulary is the sorted set of characters: the one of the smallest code point is token 0. Throws Refusal
  /// if there are none, or more than tokens have numbers (65535).
  static Tokenizer characters(std::vector<char32_t> characters);

  bool is_bytes() const { return bytes_; }
  int size() const { return bytes_ ? 256 : static_cast<int>(characters_.size()); }
  const std::vector<char32_t>& characters() const { return characters_; }

  /// Appends the tokens of `text`. Throws Refusal with the offset (bytes) of what the vocabulary does not have, or is
  /// no UTF-8.
  void encode(std::string_view text, std::vector<std::uint16_t>& tokens) const;
  /// UTF-8 (characters) or bytes; of ids below size().
  std::string decode(const std::vector<std::uint16_t>& tokens) const;

 private:
  static constexpr std::uint16_t kNone = 0xffff;
  bool bytes_ = false;
  std::vector<char32_t> characters_;        // [token]
  std::array<std::uint16_t, 128> ascii_{};  // token or kNone, of the most frequent characters
  std::map<char32_t, std::uint16_t> others_;
};

/// The characters of UTF-8 text, sorted, each once. Throws Refusal with the offset of what is no UTF-8.
std::vector<char32_t> characters_of(std::string_view text);

/// One character in UTF-8.
std::string utf8(char32_t character);

}  // namespace weft
