/// The printed form of one prompt and its continuation: text if there is a vocabulary, otherwise numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/generate/stop_sequences.hpp"
#include "host/generate/utf8_stream.hpp"
#include "host/tokenizer/tokenizer.hpp"

namespace weft::generate {

class Continuation {
 public:
  using Ids = std::basic_string<char32_t>;

  /// Prints text until one of `stop` occurs in the continuation. `tokenizer` must outlive this.
  Continuation(const tokenizer::Tokenizer& tokenizer, std::string prompt, std::vector<std::string> stop)
      : tokenizer_(&tokenizer), prompt_(std::move(prompt)), text_(std::move(stop)) {}
  /// Prints numbers separated by spaces until one of the sequences in `stop` occurs in the continuation.
  Continuation(const std::vector<TokenId>& prompt, std::vector<Ids> stop);

  /// begin() returns the printed prompt; push() the output that is final after another token; end() the remaining
  /// output and a newline.
  std::string begin();
  std::string push(TokenId token);
  std::string end();
  /// True if a stop sequence has occurred: nothing more is printed.
  bool stopped() const { return text_.stopped() || ids_.stopped(); }

 private:
  const tokenizer::Tokenizer* tokenizer_ = nullptr;  // null: prints numbers
  std::string prompt_;
  StopSequences<char> text_;
  StopSequences<char32_t> ids_;
  Utf8Stream utf8_;
};

}  // namespace weft::generate
