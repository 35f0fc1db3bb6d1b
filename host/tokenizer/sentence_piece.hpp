/// SentencePiece models (Kudo, Richardson 2018), through the original library.
#pragma once

#include <memory>
#include <string>

#include "host/tokenizer/text_tokenizer.hpp"

namespace weft::tokenizer {

/// Decodes as the library does: normalized text, without the space that the model prepends. end() is </s>, or the
/// model's equivalent. cut() is always npos: the ids may depend on the whole text.
class SentencePiece : public TextTokenizer {
 public:
  /// The contents of the *.model.
  virtual const std::string& model() const = 0;
};

/// `model`: the contents of a *.model. Throws Refusal without a subject if it is not a valid model, or if this program
/// was built without libsentencepiece.
std::shared_ptr<const SentencePiece> make_sentence_piece(std::string model);

}  // namespace weft::tokenizer
