/// The files of a byte-level BPE: vocab.json and merges.txt, or tokenizer.json. docs/howto/text.md has their grammar.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "host/tokenizer/byte_bpe.hpp"

namespace weft::tokenizer {

/// `vocab`: {"token": id, ...}; `merges`: one merge per line, two tokens separated by a space. A token that is neither
/// a byte nor made by a merge is special. Throws Refusal; for an error in `merges` its subject is the line number.
BpeParts parse_bpe_vocabulary(std::string_view vocab);
void parse_merges(std::string_view merges, BpeParts& parts);

/// Parses a file saved by the package `tokenizers`. Throws Refusal that names the first part of the file that is not
/// supported. `ours`: the file was written by tokenizer_json(), whose ids are used unchanged.
BpeParts parse_bpe_tokenizer_json(std::string_view json, bool ours = false);

/// Ids of the vocabulary's tokens by their text in its file: " the" is "Ġthe" there, and an added token " the" is none
/// of them.
std::unordered_map<std::string, std::uint32_t> ids_in_vocabulary(const BpeParts& parts);

/// The first line of merges_text(), by which a vocabulary made by Weft is recognized.
inline constexpr std::string_view kOwnMerges = "#version: 0.2 - weft tokenizer train";

/// The contents of the three files.
std::string vocabulary_json(const BpeParts& parts);
std::string merges_text(const BpeParts& parts);
std::string tokenizer_json(const BpeParts& parts);

}  // namespace weft::tokenizer
