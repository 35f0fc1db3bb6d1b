/// Text to token ids and back, as the tokenizers of language models do it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::text {

/// What one thread needs to encode: scratch memory, and words that it has met. Lives no longer than its tokenizer.
class TextEncoder {
 public:
  TextEncoder() = default;
  TextEncoder(const TextEncoder&) = delete;
  TextEncoder& operator=(const TextEncoder&) = delete;
  virtual ~TextEncoder() = default;

  /// Appends the ids of `text`, which is a document or a part of one. Throws Refusal with the offset, in bytes, of what
  /// the vocabulary does not have.
  virtual void encode(std::string_view text, std::vector<std::uint32_t>& ids) = 0;
};

class TextTokenizer {
 public:
  TextTokenizer() = default;
  TextTokenizer(const TextTokenizer&) = delete;
  TextTokenizer& operator=(const TextTokenizer&) = delete;
  virtual ~TextTokenizer() = default;

  /// All ids are below this.
  virtual std::uint32_t size() const = 0;
  virtual std::unique_ptr<TextEncoder> encoder() const = 0;
  /// The text of a document. An id without a token has none.
  virtual std::string decode(std::span<const std::uint32_t> ids) const = 0;
  /// What a token adds to a text that goes on: bytes, which need be no whole character.
  virtual std::string piece(std::uint32_t id) const = 0;
  /// The id of the token that reads so, special or not.
  virtual std::optional<std::uint32_t> id_of(std::string_view token) const = 0;
  /// The token that is behind a document.
  virtual std::optional<std::uint32_t> end() const = 0;
  /// Where a document may be cut so that its parts give the ids of the whole: a position in `text` of at least `least`;
  /// npos if there is none.
  virtual std::size_t cut(std::string_view text, std::size_t least) const = 0;
};

}  // namespace weft::text
