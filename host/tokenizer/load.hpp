/// Loads a tokenizer from its files.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "host/tokenizer/text_tokenizer.hpp"

namespace weft::tokenizer {

/// The files of a Hugging Face folder that define a tokenizer.
struct TokenizerFiles {
  std::string vocab, merges;  ///< `merges` is set only for a vocab.json
};
/// Finds tokenizer.json; otherwise vocab.json and merges.txt; otherwise tokenizer.model. None if the folder has none of
/// these.
std::optional<TokenizerFiles> tokenizer_files(const std::string& folder);

/// `vocab`: a vocab.json, to which `merges` belongs; or, with empty `merges`, a tokenizer.json, a SentencePiece model
/// (*.model), or a Hugging Face folder, whose files are read as by load_folder_tokenizer. The result is a ByteBpe or a
/// SentencePiece. Throws Refusal that names the file, and the line if there is one.
std::shared_ptr<const TextTokenizer> load_tokenizer(const std::string& vocab, const std::string& merges);

/// Loads the tokenizer of a Hugging Face folder and applies the settings of its other files (folder_settings.hpp): the
/// ids equal those of `transformers`.
std::shared_ptr<const TextTokenizer> load_folder_tokenizer(const std::string& vocab, const std::string& merges);

/// A note that the files next to `vocab` would change the ids of `tokenizer`, which load_tokenizer() loaded without
/// them; none if they would not, if there are no such files, or if `vocab` is a folder.
std::optional<std::string> note_files_beside(const std::string& vocab, const std::string& merges,
                                             const TextTokenizer& tokenizer);

}  // namespace weft::tokenizer
