/// SentencePiece's models (Kudo, Richardson 2018), by its own library.
#pragma once

#include <memory>
#include <string>

#include "host/text/text_tokenizer.hpp"

namespace weft::text {

class SentencePiece final : public TextTokenizer {
 public:
  /// `model`: the bytes of a *.model. Throws Refusal without a subject if it is none.
  explicit SentencePiece(std::string model);
  ~SentencePiece() override;

  std::uint32_t size() const override;
  std::unique_ptr<TextEncoder> encoder() const override;
  /// As the library does: normalized text, without the space that the model puts before it.
  std::string decode(std::span<const std::uint32_t> ids) const override;
  std::string piece(std::uint32_t id) const override;
  std::optional<std::uint32_t> id_of(std::string_view token) const override;
  /// </s>, or what the model has in its place.
  std::optional<std::uint32_t> end() const override;
  /// Never: what the model makes of a text depends on all of it.
  std::size_t cut(std::string_view text, std::size_t least) const override;

  const std::string& model() const { return model_; }

 private:
  friend class SentencePieceEncoder;
  class Library;

  std::string model_;
  std::unique_ptr<Library> library_;
};

}  // namespace weft::text
