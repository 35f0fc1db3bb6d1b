/// Interface of tokenizers of language models: conversion between text and token ids.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tokenizer {

/// Per-thread state of encoding: scratch memory, and a cache of words. Must not outlive its tokenizer.
class TextEncoder {
 public:
  TextEncoder() = default;
  TextEncoder(const TextEncoder&) = delete;
  TextEncoder& operator=(const TextEncoder&) = delete;
  virtual ~TextEncoder() = default;

  /// Appends the ids of `text`, which is a document or a part of one. Throws Refusal with the offset, in bytes, of text
  /// that the vocabulary cannot represent.
  virtual void encode(std::string_view text, std::vector<std::uint32_t>& ids) = 0;
};

class TextTokenizer {
 public:
  TextTokenizer() = default;
  TextTokenizer(const TextTokenizer&) = delete;
  TextTokenizer& operator=(const TextTokenizer&) = delete;
  virtual ~TextTokenizer() = default;

  /// Exclusive upper bound of all ids.
  virtual std::uint32_t size() const = 0;
  virtual std::unique_ptr<TextEncoder> encoder() const = 0;
  /// Decodes a document. An id without a token is skipped.
  virtual std::string decode(std::span<const std::uint32_t> ids) const = 0;
  /// The bytes that a token appends to a preceding text; they need not be whole characters.
  virtual std::string piece(std::uint32_t id) const = 0;
  /// The id of the token with this text, special or not.
  virtual std::optional<std::uint32_t> id_of(std::string_view token) const = 0;
  /// The token that ends a document.
  virtual std::optional<std::uint32_t> end() const = 0;
  /// A position at which a document may be cut such that the ids of its parts are the ids of the whole: at least
  /// `least`; npos if there is none in `text`.
  virtual std::size_t cut(std::string_view text, std::size_t least) const = 0;
};

}  // namespace weft::tokenizer
