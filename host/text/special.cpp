#include "host/text/special.hpp"

#include <algorithm>

namespace weft::text {

SpecialTokens::SpecialTokens(std::vector<SpecialToken> tokens) : tokens_(std::move(tokens)) {
  std::ranges::stable_sort(tokens_, [](const auto& a, const auto& b) { return a.text.size() > b.text.size(); });
  for (const SpecialToken& token : tokens_) starts_[static_cast<unsigned char>(token.text[0])] = true;
}

const SpecialToken* SpecialTokens::longest(std::string_view text) const {
  const auto at = std::ranges::find_if(tokens_, [&](const auto& token) { return text.starts_with(token.text); });
  return at == tokens_.end() ? nullptr : &*at;
}

}  // namespace weft::text
