/// Vocabularies of the package tiktoken: *.tiktoken of OpenAI's and Qwen's models, tokenizer.model of Llama 3.
#pragma once

#include <string_view>

#include "host/tokenizer/byte_bpe.hpp"

namespace weft::tokenizer {

/// Parses lines of a token in base64 and its rank, which is its id. The file has neither the pattern nor the special
/// tokens: these follow from the number of tokens, which tells the known vocabularies apart. Throws Refusal, whose
/// subject is a line number or empty.
BpeParts parse_tiktoken(std::string_view text);

}  // namespace weft::tokenizer
