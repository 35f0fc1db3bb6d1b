/// Conversion between text and token ids.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/tokenizer/text_tokenizer.hpp"
#include "sw/base/token_id.hpp"

namespace weft::tokenizer {

/// A token is a character (a Unicode code point of UTF-8 text) of a vocabulary, a byte, or a token of a BPE or
/// SentencePiece tokenizer.
class Tokenizer {
 public:
  enum class Kind { Bytes, Characters, Bpe, SentencePiece };

  /// One token per byte value, 256 of them.
  static Tokenizer bytes();
  /// The vocabulary is the sorted set of characters; the smallest code point is token 0. Throws Refusal if there are no
  /// characters, or more than kMostTokens.
  static Tokenizer characters(std::vector<char32_t> characters);
  /// Wraps a ByteBpe or a SentencePiece. Throws Refusal if it has more than kMostTokens tokens.
  static Tokenizer of(std::shared_ptr<const TextTokenizer> tokenizer);

  Kind kind() const { return kind_; }
  bool is_bytes() const { return kind_ == Kind::Bytes; }
  /// True if the tokens are defined by a file, so that shards can have the same tokens.
  bool is_of_file() const { return text_ != nullptr; }
  /// The value of train_input.tokenizer: "byte", "char", "bpe", "sentencepiece".
  const char* name() const;
  int size() const;
  /// The wrapped tokenizer; only if is_of_file().
  const TextTokenizer& text() const { return *text_; }
  /// The contents of the file: a tokenizer.json, or a *.model.
  std::string file() const;
  const std::vector<char32_t>& characters() const { return characters_; }

  /// Appends the tokens of `text`. Throws Refusal with the byte offset of a character that the vocabulary lacks, or of
  /// invalid UTF-8.
  void encode(std::string_view text, std::vector<TokenId>& tokens) const;
  /// Appends the tokens of a whole document, and the end token if is_of_file() and the file defines one, as in shards.
  void encode_document(std::string_view text, std::vector<TokenId>& tokens) const;
  /// The text that the tokens append to a preceding text: UTF-8 (characters) or bytes. Ids must be below size().
  std::string decode(const std::vector<TokenId>& tokens) const;

 private:
  static constexpr TokenId kNone = kNoLabel;
  void encode_parts(std::string_view text, std::vector<TokenId>& tokens) const;

  Kind kind_ = Kind::Characters;
  std::shared_ptr<const TextTokenizer> text_;
  std::vector<char32_t> characters_;  // [token]
  std::array<TokenId, 128> ascii_{};  // tokens of ASCII characters, which are the most frequent; or kNone
  std::map<char32_t, TokenId> others_;
};

/// The characters of UTF-8 text, sorted, each once. Throws Refusal with the offset of invalid UTF-8.
std::vector<char32_t> characters_of(std::string_view text);

/// One character in UTF-8.
std::string utf8(char32_t character);

}  // namespace weft::tokenizer
