/// tokenizer.json: Weft's tokenizers in the format of the `tokenizers` library (docs/howto/hugging_face.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/tokenizer/tokenizer.hpp"

namespace weft::tokenizer {

/// Characters are written as a word level whose words are single characters; bytes as a BPE without merges, over the
/// letters that stand for bytes; a BPE as itself. A SentencePiece has no tokenizer.json: its file is a *.model.
std::string tokenizer_json(const Tokenizer& tokenizer);

/// The tokenizer_config.json that accompanies it. `length`: maximum number of tokens in a sequence.
std::string tokenizer_config_json(int length);

/// The tokenizer of a file that tokenizer_json() wrote for characters or bytes; nothing if the file has another kind of
/// tokenizer. Throws Refusal without a subject if the file is not a tokenizer.json.
std::optional<Tokenizer> parse_tokenizer_json(std::string_view text);

}  // namespace weft::tokenizer
