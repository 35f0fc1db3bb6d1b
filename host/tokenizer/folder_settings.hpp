/// Settings of a Hugging Face folder's tokenizer: tokenizer_config.json, special_tokens_map.json and added_tokens.json,
/// as AutoTokenizer of `transformers` reads them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "host/tokenizer/byte_bpe.hpp"

namespace weft::tokenizer {

/// True if the folder has one of these files.
bool has_folder_settings(const std::filesystem::path& folder);

/// Changes `parts` so that its ids equal those of `transformers`: adds tokens and the space before a text
/// (add_prefix_space). `json`: the text of the folder's tokenizer.json; empty: `parts` is from vocab.json and
/// merges.txt. Throws Refusal without a subject that names an unsupported setting: tokens around a text (add_bos_token,
/// a post-processor), tokens that absorb the spaces around them, lower case, a tokenizer with custom code.
void apply_folder_settings(const std::filesystem::path& folder, std::string_view json, BpeParts& parts);

/// Checks the settings of a tokenizer that Weft uses without changes: one of characters (`pieces` is null) or a
/// SentencePiece model. Throws Refusal if the settings would change its ids.
void check_folder_settings(const std::filesystem::path& folder, const TextTokenizer* pieces);

}  // namespace weft::tokenizer
