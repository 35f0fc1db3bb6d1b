/// SentencePiece models (Kudo, Richardson 2018), through the original library.
#pragma once

#include <memory>
#include <string>

#include "host/tokenizer/text_tokenizer.hpp"

namespace weft::tokenizer {

class SentencePiece final : public TextTokenizer {
 public:
  /// `model`: the contents of a *.model. Throws Refusal without a subject if it is not a valid model.
  explicit SentencePiece(std::string model);
  ~SentencePiece() override;

  std::uint32_t size() const override;
  std::unique_ptr<TextEncoder> encoder() const override;
  /// Decodes as the library does: normalized text, without the space that the model prepends.
  std::string decode(std::span<const std::uint32_t> ids) const override;
  std::string piece(std::uint32_t id) const override;
  std::optional<std::uint32_t> id_of(std::string_view token) const override;
  /// </s>, or the model's equivalent.
  std::optional<std::uint32_t> end() const override;
  /// Always npos: the ids may depend on the whole text.
  std::size_t cut(std::string_view text, std::size_t least) const override;

  const std::string& model() const { return model_; }

 private:
  friend class SentencePieceEncoder;
  class Library;

  std::string model_;
  std::unique_ptr<Library> library_;
};

}  // namespace weft::tokenizer
