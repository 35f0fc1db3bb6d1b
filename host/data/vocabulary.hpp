/// vocab.json: the vocabulary of a model, beside its checkpoints.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/data/tokenizer.hpp"

namespace weft {

/// {"tokenizer":"char","characters":["\n"," ","a",...],"run":"0123456789abcdef","crc32c":"89abcdef"}, characters in
/// order of the tokens; or {"tokenizer":"byte",...}, {"tokenizer":"bpe","bpe":{a tokenizer.json},...},
/// {"tokenizer":"sentencepiece","model":"a *.model in hex",...}. `run` is the identity of the run that writes it; the
/// checksum is that of host/checkpoint/seal.hpp.
std::string vocabulary_text(const Tokenizer& tokenizer, const std::string& run = "");
/// Throws Refusal without a subject, also if the checksum is wrong; one without a checksum (an older one) is as good.
Tokenizer parse_vocabulary(std::string_view json);
/// What a checkpoint says of its vocabulary: "byte", "char 89abcdef" with a checksum of the characters, "bpe 89abcdef"
/// or "sentencepiece 89abcdef" with one of the file, or "none".
std::string vocabulary_name(const std::optional<Tokenizer>& tokenizer);

/// folder/vocab.json, and whether it is there.
std::string vocabulary_file(const std::string& folder);
bool has_vocabulary(const std::string& folder);

/// Writes folder/vocab.json; without a tokenizer, removes what an earlier run left there. Throws Refusal.
void save_vocabulary(const std::string& folder, const std::optional<Tokenizer>& tokenizer, const std::string& run = "");
/// None if the folder has no vocab.json. Throws Refusal.
std::optional<Tokenizer> load_vocabulary(const std::string& folder);

}  // namespace weft
