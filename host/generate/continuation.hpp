/// What is printed of one prompt and of what follows: text by a vocabulary, or numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/data/tokenizer.hpp"
#include "host/generate/stop_words.hpp"
#include "host/generate/utf8_stream.hpp"

namespace weft {

class Continuation {
 public:
  using Ids = std::basic_string<char32_t>;

  /// Printed as text, until one of `stop` follows. `tokenizer` must outlive this.
  Continuation(const Tokenizer& tokenizer, std::string prompt, std::vector<std::string> stop)
      : tokenizer_(&tokenizer), prompt_(std::move(prompt)), text_(std::move(stop)) {}
  /// Printed as numbers with spaces between them, until some follow that `stop` names.
  Continuation(const std::vector<TokenId>& prompt, std::vector<Ids> stop);

  /// The prompt as it is printed; what is then certain with each token that follows; what is left, and a line's end.
  std::string begin();
  std::string put(TokenId token);
  std::string end();
  /// A stop word has come: nothing more is printed.
  bool stopped() const { return text_.stopped() || ids_.stopped(); }

 private:
  const Tokenizer* tokenizer_ = nullptr;  // null: numbers
  std::string prompt_;
  StopWords<char> text_;
  StopWords<char32_t> ids_;
  Utf8Stream utf8_;
};

}  // namespace weft
