/// Text to token ids and back.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/text/text_tokenizer.hpp"
#include "sw/compiler/token_id.hpp"

namespace weft {

/// A token is a character (a Unicode code point of UTF-8 text) of a vocabulary, a byte, or what a BPE or
/// SentencePiece makes of text.
class Tokenizer {
 public:
  enum class Kind { Bytes, Characters, Bpe, SentencePiece };

  /// Token = byte, 256 of them.
  static Tokenizer bytes();
  /// The vocabulary is the sorted set of characters: the one of the smallest code point is token 0. Throws Refusal
  /// if there are none, or more than a vocabulary has (kMostTokens).
  static Tokenizer characters(std::vector<char32_t> characters);
  /// A ByteBpe or a SentencePiece. Throws Refusal if it has more tokens.
  static Tokenizer of(std::shared_ptr<const text::TextTokenizer> tokenizer);

  Kind kind() const { return kind_; }
  bool is_bytes() const { return kind_ == Kind::Bytes; }
  /// Its tokens are those of a file, which shards have, too.
  bool is_of_file() const { return text_ != nullptr; }
  /// "byte", "char", "bpe", "sentencepiece": of train_input.tokenizer.
  const char* name() const;
  int size() const;
  /// If it is of a file.
  const text::TextTokenizer& text() const { return *text_; }
  /// The bytes of that file: a tokenizer.json, or a *.model.
  std::string file() const;
  const std::vector<char32_t>& characters() const { return characters_; }

  /// Appends the tokens of `text`. Throws Refusal with the offset (bytes) of what the vocabulary does not have, or is
  /// no UTF-8.
  void encode(std::string_view text, std::vector<TokenId>& tokens) const;
  /// Appends the tokens of a whole document: if it is of a file that has a token for the end, that is behind them, as
  /// in shards.
  void encode_document(std::string_view text, std::vector<TokenId>& tokens) const;
  /// What the tokens add to a text that goes on: UTF-8 (characters) or bytes; of ids below size().
  std::string decode(const std::vector<TokenId>& tokens) const;

 private:
  static constexpr TokenId kNone = kNoLabel;
  void encode_parts(std::string_view text, std::vector<TokenId>& tokens) const;

  Kind kind_ = Kind::Characters;
  std::shared_ptr<const text::TextTokenizer> text_;
  std::vector<char32_t> characters_;  // [token]
  std::array<TokenId, 128> ascii_{};  // token or kNone, of the most frequent characters
  std::map<char32_t, TokenId> others_;
};

/// The characters of UTF-8 text, sorted, each once. Throws Refusal with the offset of what is no UTF-8.
std::vector<char32_t> characters_of(std::string_view text);

/// One character in UTF-8.
std::string utf8(char32_t character);

}  // namespace weft
