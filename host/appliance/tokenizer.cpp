#include "host/appliance/tokenizer.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace weft {

CharTokenizer::CharTokenizer(std::string_view corpus) {
  std::array<bool, 256> seen{};
  for (char c : corpus) seen[static_cast<unsigned char>(c)] = true;
  token_.fill(kNone);
  for (int byte = 0; byte < 256; ++byte) {
    if (!seen[byte]) continue;
    token_[byte] = static_cast<std::uint16_t>(bytes_.size());
    bytes_.push_back(static_cast<char>(byte));
  }
}

std::vector<std::uint16_t> CharTokenizer::encode(std::string_view text) const {
  std::vector<std::uint16_t> tokens;
  tokens.reserve(text.size());
  for (char c : text) {
    tokens.push_back(token_[static_cast<unsigned char>(c)]);
    if (tokens.back() == kNone) {
      throw std::out_of_range(
          fmt::format("byte {} (at {}) is not in the vocabulary", static_cast<unsigned char>(c), tokens.size() - 1));
    }
  }
  return tokens;
}

std::string CharTokenizer::decode(const std::vector<std::uint16_t>& tokens) const {
  std::string text;
  for (std::uint16_t token : tokens) text.push_back(bytes_.at(token));
  return text;
}

}  // namespace weft
