#include "host/generate/continuation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::generate {
namespace {

std::string numbers(const Continuation::Ids& ids) {
  std::string text;
  for (const char32_t id : ids) text += fmt::format(" {}", static_cast<unsigned>(id));
  return text;
}

}  // namespace

Continuation::Continuation(const std::vector<TokenId>& prompt, std::vector<Ids> stop)
    : prompt_(fmt::format("{}", fmt::join(prompt, " "))), ids_(std::move(stop)) {}

std::string Continuation::begin() { return tokenizer_ != nullptr ? utf8_.push(prompt_) : prompt_; }

std::string Continuation::push(TokenId token) {
  if (tokenizer_ != nullptr) return utf8_.push(text_.push(tokenizer_->decode({token})));
  return numbers(ids_.push({static_cast<char32_t>(token)}));
}

std::string Continuation::end() {
  std::string text = tokenizer_ != nullptr ? utf8_.push(text_.end()) : numbers(ids_.end());
  return text + utf8_.end() + "\n";
}

}  // namespace weft::generate
