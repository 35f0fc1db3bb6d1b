/// What generate goes on with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/config/config.hpp"
#include "host/data/tokenizer.hpp"
#include "host/generate/continuation.hpp"

namespace weft {

/// Token ids as "1, 2, 3", each below `vocab`. Throws Refusal.
std::vector<TokenId> parse_token_ids(std::string_view text, int vocab);

class Prompts {
 public:
  /// Those of runconfig.prompt, which take a vocabulary, or of runconfig.prompt_tokens, which take none. Throws
  /// Refusal.
  explicit Prompts(const Config& config);

  std::size_t size() const { return tokens_.size(); }
  const std::vector<TokenId>& tokens(std::size_t n) const { return tokens_[n]; }
  /// Only tokens below this may follow: a vocabulary may be smaller than the model's, and what has no text is not
  /// chosen.
  int choices() const { return choices_; }
  /// Of prompt n. This must outlive it.
  Continuation continuation(std::size_t n) const;

 private:
  void read_ids(const Config& config);
  void read_texts(const Config& config);

  std::optional<Tokenizer> tokenizer_;  // none: tokens are printed as numbers
  std::vector<std::string> texts_;
  std::vector<std::vector<TokenId>> tokens_;  // [prompt]
  std::vector<std::string> stop_;
  std::vector<Continuation::Ids> stop_ids_;
  int choices_ = 0;
};

}  // namespace weft
