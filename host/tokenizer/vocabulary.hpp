/// vocab.json: the vocabulary of a model, next to its checkpoints.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/tokenizer/tokenizer.hpp"

namespace weft::tokenizer {

/// The contents of vocab.json: {"tokenizer":"char","characters":["\n","
/// ","a",...],"run":"0123456789abcdef","crc32c":"89abcdef"}, with the characters in token order; or
/// {"tokenizer":"byte",...}, {"tokenizer":"bpe","bpe":{a tokenizer.json},...}, {"tokenizer":"sentencepiece","model":"a
/// *.model in hex",...}. `run` is the identity of the run that writes the file; the checksum is described in
/// host/checkpoint/seal.hpp.
std::string vocabulary_text(const Tokenizer& tokenizer, const std::string& run = "");
/// Throws Refusal without a subject, also if the checksum is wrong; files of older versions without a checksum are
/// accepted.
Tokenizer parse_vocabulary(std::string_view json);
/// The vocabulary name in a checkpoint: "byte", "char 89abcdef" with a checksum of the characters, "bpe 89abcdef" or
/// "sentencepiece 89abcdef" with a checksum of the file, or "none".
std::string vocabulary_name(const std::optional<Tokenizer>& tokenizer);

/// The path folder/vocab.json, and a test for its existence.
std::string vocabulary_file(const std::string& folder);
bool has_vocabulary(const std::string& folder);

/// Writes folder/vocab.json; without a tokenizer, removes the file that an earlier run left there. Throws Refusal.
void save_vocabulary(const std::string& folder, const std::optional<Tokenizer>& tokenizer, const std::string& run = "");
/// Returns nothing if the folder has no vocab.json. Throws Refusal.
std::optional<Tokenizer> load_vocabulary(const std::string& folder);

}  // namespace weft::tokenizer
