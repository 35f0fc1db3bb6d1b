/// vocab.json: the vocabulary of a model, beside its checkpoints.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/appliance/data/tokenizer.hpp"

namespace weft {

/// {"tokenizer": "char", "characters": ["\n", " ", "a", ...]} in order of the tokens, or {"tokenizer": "byte"}.
std::string vocabulary_text(const Tokenizer& tokenizer);
/// Throws Refusal, whose text goes on after the name of a file.
Tokenizer parse_vocabulary(std::string_view json);

/// folder/vocab.json, and whether it is there.
std::string vocabulary_file(const std::string& folder);
bool has_vocabulary(const std::string& folder);

/// Writes folder/vocab.json; without a tokenizer, removes what an earlier run left there. Throws Refusal.
void save_vocabulary(const std::string& folder, const std::optional<Tokenizer>& tokenizer);
/// None if the folder has no vocab.json. Throws Refusal.
std::optional<Tokenizer> load_vocabulary(const std::string& folder);

}  // namespace weft
