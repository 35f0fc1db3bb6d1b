/// tokenizer.json: our tokenizers as the `tokenizers` library writes its own (docs/hugging_face.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/data/tokenizer.hpp"

namespace weft {

/// Characters: a word level whose words are single characters. Bytes: a BPE without merges, over the letters that stand
/// for bytes. A BPE: its own. A SentencePiece has none: its file is a *.model.
std::string tokenizer_json(const Tokenizer& tokenizer);

/// tokenizer_config.json beside it. `length`: tokens of a sequence.
std::string tokenizer_config_json(int length);

/// The tokenizer of such a file; nothing if it is one of another kind. Throws Refusal without a subject if it is no
/// tokenizer.json.
std::optional<Tokenizer> parse_tokenizer_json(std::string_view text);

}  // namespace weft
