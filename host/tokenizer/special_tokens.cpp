#include "host/tokenizer/special_tokens.hpp"

#include <algorithm>

namespace weft::tokenizer {

SpecialTokens::SpecialTokens(std::vector<SpecialToken> tokens) : tokens_(std::move(tokens)) {
  std::ranges::stable_sort(tokens_, [](const auto& a, const auto& b) { return a.text.size() > b.text.size(); });
  for (std::size_t n = 0; n < tokens_.size(); ++n) {
    const std::string& text = tokens_[n].text;
    starts_[static_cast<unsigned char>(text[0])] = true;
    if (lengths_.empty() || lengths_.back() != text.size()) lengths_.push_back(text.size());
    numbers_.emplace(text, n);
  }
}

const SpecialToken* SpecialTokens::longest(std::string_view text) const {
  for (const std::size_t length : lengths_) {
    if (length > text.size()) continue;
    if (const auto at = numbers_.find(text.substr(0, length)); at != numbers_.end()) return &tokens_[at->second];
  }
  return nullptr;
}

}  // namespace weft::tokenizer
