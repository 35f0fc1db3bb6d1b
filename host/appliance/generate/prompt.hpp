/// What generate goes on with, and how its tokens are printed: as text by a vocabulary, or as numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/appliance/config/config.hpp"
#include "host/appliance/data/tokenizer.hpp"
#include "host/appliance/generate/utf8_stream.hpp"

namespace weft {

/// Token ids as "1, 2, 3", each below `vocab`. Throws Refusal.
std::vector<std::uint16_t> parse_token_ids(std::string_view text, int vocab);

class Prompt {
 public:
  /// runconfig.prompt, which takes a vocabulary, or runconfig.prompt_tokens, which takes none. Throws Refusal.
  explicit Prompt(const Config& config);

  const std::vector<std::uint16_t>& tokens() const { return tokens_; }
  /// Only tokens below this may follow: a vocabulary may be smaller than the model's, and what has no text is not
  /// chosen.
  int choices() const { return choices_; }

  /// The prompt as it is printed, then each token that follows; `end` is what is printed last.
  std::string begin();
  std::string put(std::uint16_t token);
  std::string end() { return utf8_.end() + "\n"; }

 private:
  std::optional<Tokenizer> tokenizer_;  // none: tokens are printed as numbers
  std::string text_;
  std::vector<std::uint16_t> tokens_;
  int choices_ = 0;
  Utf8Stream utf8_;
};

}  // namespace weft
