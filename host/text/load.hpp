/// A tokenizer from its files.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "host/text/text_tokenizer.hpp"

namespace weft::text {

/// The files of a Hugging Face folder that make a tokenizer.
struct TokenizerFiles {
  std::string vocab, merges;  ///< `merges` is empty but for a vocab.json
};
/// tokenizer.json; else vocab.json and merges.txt; else tokenizer.model. None if the folder has none of these.
std::optional<TokenizerFiles> tokenizer_files(const std::string& folder);

/// `vocab`: a vocab.json, to which `merges` belongs; or a tokenizer.json, or a SentencePiece model, a *.model, to which
/// none belongs (`merges` is empty); or a Hugging Face folder, as load_folder_tokenizer reads its files. The result is
/// a ByteBpe, or a SentencePiece. Throws Refusal that names the file, and the line of it if there is one.
std::shared_ptr<const TextTokenizer> load_tokenizer(const std::string& vocab, const std::string& merges);

/// Loads the tokenizer of a Hugging Face folder and applies the settings of its other files (folder_settings.hpp): ids
/// are those of `transformers`.
std::shared_ptr<const TextTokenizer> load_folder_tokenizer(const std::string& vocab, const std::string& merges);

/// A note that the files next to `vocab` would change ids of `tokenizer`, which load_tokenizer() made of it without
/// them; none if they would not, if there are none, and if `vocab` is a folder.
std::optional<std::string> note_files_beside(const std::string& vocab, const std::string& merges,
                                             const TextTokenizer& tokenizer);

}  // namespace weft::text
