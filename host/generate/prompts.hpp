/// The prompts of mode generate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/config/config.hpp"
#include "host/generate/continuation.hpp"
#include "host/tokenizer/tokenizer.hpp"

namespace weft::generate {

/// Parses token ids such as "1, 2, 3", each below `vocab`. Throws Refusal.
std::vector<TokenId> parse_token_ids(std::string_view text, int vocab);

class Prompts {
 public:
  /// Reads the prompts of runconfig.prompt, which require a vocabulary, or of runconfig.prompt_tokens, which do not.
  /// Throws Refusal.
  explicit Prompts(const config::Config& config);

  std::size_t size() const { return tokens_.size(); }
  const std::vector<TokenId>& tokens(std::size_t n) const { return tokens_[n]; }
  /// Exclusive upper bound of the tokens to choose from: a vocabulary may be smaller than the model's, and tokens
  /// without text are not chosen.
  int choices() const { return choices_; }
  /// The continuation of prompt n. This object must outlive it.
  Continuation continuation(std::size_t n) const;

 private:
  void read_ids(const config::Config& config);
  void read_texts(const config::Config& config);

  std::optional<tokenizer::Tokenizer> tokenizer_;  // empty: tokens are printed as numbers
  std::vector<std::string> texts_;
  std::vector<std::vector<TokenId>> tokens_;  // [prompt]
  std::vector<std::string> stop_;
  std::vector<Continuation::Ids> stop_ids_;
  int choices_ = 0;
};

}  // namespace weft::generate
