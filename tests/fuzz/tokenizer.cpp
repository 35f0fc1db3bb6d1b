/// tokenizer.json; vocab.json and merges.txt, of which either may be the input.
#include "host/tokenizer/bpe_files.hpp"
#include "host/tokenizer/byte_bpe.hpp"
#include "host/tokenizer/load.hpp"
#include "host/tokenizer/train_bpe.hpp"
#include "tests/fuzz/folder.hpp"

namespace weft::fuzz::tokenizer_target {
namespace {

constexpr std::string_view kText = "the the other\n\xc3\xa9 12 <|end|>\xff  th";

tokenizer::BpeParts parts() {
  return tokenizer::train_bpe({{" the", 9}, {"the", 7}, {"other", 3}}, {.vocab_size = 264, .special = {"<|end|>"}});
}

/// Removes spaces, because add_prefix_space adds some.
std::string without_spaces(std::string_view text) {
  std::string result(text);
  std::erase(result, ' ');
  return result;
}

/// Checks that ids are within the tokenizer's range, and that decoding gives the text.
void use(const tokenizer::TextTokenizer& tokenizer) {
  std::vector<std::uint32_t> ids;
  try {
    tokenizer.encoder()->encode(kText, ids);
  } catch (const Refusal& e) {  // characters that the vocabulary lacks
    return promise(!e.hint().empty(), "an error says what to do:", e.what());
  }
  for (const std::uint32_t id : ids) promise(id < tokenizer.size(), "an id is below the size");
  promise(without_spaces(tokenizer.decode(ids)) == without_spaces(kText), "a text comes back");
}

}  // namespace

std::vector<std::string> seeds() {
  tokenizer::BpeParts all = parts(), other = all;
  other.splits = {{R"([^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+)"}};
  other.added = {{"other", 264}};
  other.tokens[264] = "other";
  return {tokenizer::tokenizer_json(all), tokenizer::tokenizer_json(other), tokenizer::vocabulary_json(all),
          tokenizer::merges_text(all)};
}

void read(std::span<const std::uint8_t> bytes) {
  static const Folder folder("weft_tokenizer");
  static const std::string vocab = folder.write("vocab.json", tokenizer::vocabulary_json(parts())),
                           merges = folder.write("merges.txt", tokenizer::merges_text(parts()));
  const std::string file = folder.write("damaged", text_of(bytes));
  loads_or_refuses(file, [&] { use(*tokenizer::load_tokenizer(file, "")); });
  loads_or_refuses(file, [&] { use(*tokenizer::load_tokenizer(vocab, file)); });
  // the input is one of the two
  loads_or_refuses(folder.path(), [&] { use(*tokenizer::load_tokenizer(file, merges)); });
}

const bool kAdded = add({"tokenizer", seeds, read});

}  // namespace weft::fuzz::tokenizer_target
