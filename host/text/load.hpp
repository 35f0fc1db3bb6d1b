/// A tokenizer from its files.
#pragma once

#include <memory>
#include <string>

#include "host/text/text_tokenizer.hpp"

namespace weft::text {

/// `vocab`: a vocab.json, to which `merges` belongs; or a tokenizer.json, or a SentencePiece model, a *.model, to which
/// none belongs (`merges` is empty). The result is a ByteBpe, or a SentencePiece.
/// Throws Refusal that names the file, and the line of it if there is one.
std::shared_ptr<const TextTokenizer> load_tokenizer(const std::string& vocab, const std::string& merges);

/// Loads the tokenizer of a Hugging Face folder and applies the settings of its other files (folder_settings.hpp): ids
/// are those of `transformers`.
std::shared_ptr<const TextTokenizer> load_folder_tokenizer(const std::string& vocab, const std::string& merges);

}  // namespace weft::text
