#include "host/tokenizer/tokenizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <iterator>
#include <set>

#include "host/tokenizer/bpe_files.hpp"
#include "host/tokenizer/sentence_piece.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

using Utf8 = boost::locale::utf::utf_traits<char>;

/// Calls `each(character, offset)`.
template <class Each>
void for_each_character(std::string_view text, const Each& each) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    const char* const begin = at;
    const auto offset = static_cast<std::size_t>(begin - text.data());
    const boost::locale::utf::code_point character = Utf8::decode(at, end);
    if (character == boost::locale::utf::illegal || character == boost::locale::utf::incomplete) {
      throw Refusal(
          "", fmt::format("byte 0x{:02x} at offset {} is not valid UTF-8", static_cast<unsigned char>(*begin), offset),
          "save the text as UTF-8 or use tokenizer: byte");
    }
    each(static_cast<char32_t>(character), offset);
  }
}

std::string shown(char32_t c) {
  const std::string name = fmt::format("U+{:04X}", static_cast<std::uint32_t>(c));
  return c < ' ' || c == 0x7f ? name : fmt::format("'{}' ({})", utf8(c), name);
}

}  // namespace

std::string utf8(char32_t character) {
  std::string text;
  Utf8::encode(character, std::back_inserter(text));
  return text;
}

std::vector<char32_t> characters_of(std::string_view text) {
  std::array<bool, 128> ascii{};
  std::set<char32_t> seen;
  for_each_character(text, [&](char32_t c, std::size_t) {
    if (c < ascii.size()) {
      ascii[c] = true;
    } else {
      seen.insert(c);
    }
  });
  for (char32_t c = 0; c < ascii.size(); ++c) {
    if (ascii[c]) seen.insert(c);
  }
  return {seen.begin(), seen.end()};
}

Tokenizer Tokenizer::bytes() {
  Tokenizer result;
  result.kind_ = Kind::Bytes;
  return result;
}

Tokenizer Tokenizer::characters(std::vector<char32_t> characters) {
  std::sort(characters.begin(), characters.end());
  characters.erase(std::unique(characters.begin(), characters.end()), characters.end());
  if (characters.empty()) throw Refusal("", "has no characters", "give it some text");
  if (characters.size() > kMostTokens) {
    throw Refusal("",
                  fmt::format("has {} different characters, more than the {} allowed", characters.size(), kMostTokens),
                  "use tokenizer: byte");
  }
  Tokenizer result;
  result.ascii_.fill(kNone);
  for (std::size_t token = 0; token < characters.size(); ++token) {
    const char32_t c = characters[token];
    if (c < result.ascii_.size()) {
      result.ascii_[c] = static_cast<TokenId>(token);
    } else {
      result.others_[c] = static_cast<TokenId>(token);
    }
  }
  result.characters_ = std::move(characters);
  return result;
}

Tokenizer Tokenizer::of(std::shared_ptr<const TextTokenizer> tokenizer) {
  if (tokenizer->size() > kMostTokens)
    throw Refusal("", fmt::format("has {} tokens, more than the {} allowed", tokenizer->size(), kMostTokens),
                  "use a smaller vocabulary");
  Tokenizer result;
  const bool bpe = dynamic_cast<const ByteBpe*>(tokenizer.get()) != nullptr;
  result.kind_ = bpe ? Kind::Bpe : Kind::SentencePiece;
  result.text_ = std::move(tokenizer);
  return result;
}

const char* Tokenizer::name() const {
  constexpr const char* kNames[] = {"byte", "char", "bpe", "sentencepiece"};
  return kNames[static_cast<int>(kind_)];
}

std::string Tokenizer::file() const {
  if (const auto* bpe = dynamic_cast<const ByteBpe*>(text_.get())) return tokenizer_json(bpe->parts());
  return dynamic_cast<const SentencePiece&>(*text_).model();
}

int Tokenizer::size() const {
  if (is_of_file()) return static_cast<int>(text_->size());
  return is_bytes() ? 256 : static_cast<int>(characters_.size());
}

/// Encodes in parts, so that the 32-bit ids of the whole text are never in memory at once.
void Tokenizer::encode_parts(std::string_view text, std::vector<TokenId>& tokens) const {
  constexpr std::size_t kPart = 1 << 20;  // bytes
  const auto encoder = text_->encoder();
  std::vector<std::uint32_t> ids;
  for (std::size_t done = 0; done < text.size();) {
    const std::size_t part = std::min(text_->cut(text.substr(done), kPart), text.size() - done);
    ids.clear();
    try {
      encoder->encode(text.substr(done, part), ids);
    } catch (const Refusal& e) {
      throw done == 0 ? e : e.within(fmt::format("from byte {} on", done));
    }
    tokens.insert(tokens.end(), ids.begin(), ids.end());
    done += part;
  }
}

void Tokenizer::encode_document(std::string_view text, std::vector<TokenId>& tokens) const {
  encode(text, tokens);
  if (!is_of_file()) return;
  if (const auto end = text_->end()) tokens.push_back(static_cast<TokenId>(*end));
}

void Tokenizer::encode(std::string_view text, std::vector<TokenId>& tokens) const {
  if (is_of_file()) return encode_parts(text, tokens);
  tokens.reserve(tokens.size() + text.size());
  if (is_bytes()) {
    for (const char c : text) tokens.push_back(static_cast<unsigned char>(c));
    return;
  }
  for_each_character(text, [&](char32_t c, std::size_t offset) {
    TokenId token = kNone;
    if (c < ascii_.size()) {
      token = ascii_[c];
    } else if (const auto at = others_.find(c); at != others_.end()) {
      token = at->second;
    }
    if (token == kNone) {
      throw Refusal("", fmt::format("character {} at offset {} is not in the vocabulary", shown(c), offset),
                    "use only characters of the training text, or train with tokenizer: byte");
    }
    tokens.push_back(token);
  });
}

std::string Tokenizer::decode(const std::vector<TokenId>& tokens) const {
  std::string text;
  for (const TokenId token : tokens) {
    if (is_of_file()) {
      text += text_->piece(token);
    } else if (is_bytes()) {
      text.push_back(static_cast<char>(token));
    } else {
      text += utf8(characters_.at(token));
    }
  }
  return text;
}

}  // namespace weft::tokenizer
