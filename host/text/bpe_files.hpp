/// The files of a byte-level BPE: vocab.json and merges.txt, or tokenizer.json. docs/text.md has their grammar.
#pragma once

#include <string>
#include <string_view>

#include "host/text/byte_bpe.hpp"

namespace weft::text {

/// `vocab`: {"token": id, ...}; `merges`: two tokens with a space between them, a line each. A token that is no byte
/// and that no merge makes is special. Throws Refusal: of a line of `merges` its subject is the number of the line.
BpeParts parse_vocabulary(std::string_view vocab);
void parse_merges(std::string_view merges, BpeParts& parts);

/// What the package `tokenizers` saves. Throws Refusal that names the first part of it which is not done here.
/// `ours`: what tokenizer_json() wrote, whose ids are right.
BpeParts parse_tokenizer_json(std::string_view json, bool ours = false);

/// The first line of merges_text(): it tells whose a folder's vocabulary is.
inline constexpr std::string_view kOwnMerges = "#version: 0.2 - weft tokenizer train";

/// The three files as they are read.
std::string vocabulary_json(const BpeParts& parts);
std::string merges_text(const BpeParts& parts);
std::string tokenizer_json(const BpeParts& parts);

}  // namespace weft::text
