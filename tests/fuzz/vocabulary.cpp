/// vocab.json, and text encoded by that vocabulary.
#include "host/tokenizer/vocabulary.hpp"

#include "host/tokenizer/train_bpe.hpp"
#include "sw/base/refusal.hpp"
#include "tests/fuzz/target.hpp"

namespace weft::fuzz::vocabulary_target {

std::vector<std::string> seeds() {
  return {tokenizer::vocabulary_text(tokenizer::Tokenizer::bytes()),
          tokenizer::vocabulary_text(tokenizer::Tokenizer::characters(tokenizer::characters_of("\n abcxyz\"\\"))),
          tokenizer::vocabulary_text(
              tokenizer::Tokenizer::characters(tokenizer::characters_of("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"))),
          tokenizer::vocabulary_text(tokenizer::Tokenizer::of(std::make_shared<const tokenizer::ByteBpe>(
              tokenizer::train_bpe({{" the", 3}}, {.vocab_size = 260, .special = {"<|end|>"}}))))};
}

void read(std::span<const std::uint8_t> bytes) {
  const std::string text(bytes.begin(), bytes.end());
  try {
    const tokenizer::Tokenizer tokenizer = tokenizer::parse_vocabulary(text);
    promise(tokenizer.size() > 0 && tokenizer.size() <= kMostTokens, "a vocabulary has tokens");
    const std::string kept = tokenizer::vocabulary_text(tokenizer);
    promise(tokenizer::vocabulary_text(tokenizer::parse_vocabulary(kept)) == kept, "a vocabulary comes back:", kept);
    std::vector<TokenId> tokens;
    tokenizer.encode(text, tokens);
    promise(tokenizer.decode(tokens) == text, "a text comes back:", text);
  } catch (const Refusal& e) {
    promise(!e.hint().empty(), "an error says what to do:", e.what());
  }
}

const bool kAdded = add({"vocabulary", seeds, read});

}  // namespace weft::fuzz::vocabulary_target
