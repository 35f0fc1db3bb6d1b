#include "host/appliance/generate/prompt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "host/appliance/data/about.hpp"
#include "host/appliance/data/load_data.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
namespace {

constexpr auto kPrompt = "runconfig.prompt", kTokens = "runconfig.prompt_tokens";

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<std::uint16_t> parse_token_ids(std::string_view text, int vocab) {
  std::vector<std::uint16_t> ids;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string_view word = trimmed(text.substr(at, comma - at));
    at = comma + 1;
    std::uint64_t id = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (error == std::errc::invalid_argument || end != word.data() + word.size()) {
      throw Refusal("", fmt::format("\"{}\" is no token id", word),
                    "write ids with commas between them, e.g. \"1,2,3\"");
    }
    if (error != std::errc{} || id >= static_cast<std::uint64_t>(vocab)) {
      throw Refusal("", fmt::format("token {} is not below model.vocab_size {}", word, vocab),
                    fmt::format("use ids of 0 to {}", vocab - 1));
    }
    ids.push_back(static_cast<std::uint16_t>(id));
  }
  return ids;
}

Prompt::Prompt(const Config& config) : text_(config.runconfig.prompt) {
  const std::string& ids = config.runconfig.prompt_tokens;
  if (!ids.empty()) {
    const auto vocabulary = saved_tokenizer(config);
    choices_ = vocabulary ? std::min(vocabulary->size(), config.model.vocab) : config.model.vocab;
    tokens_ = about(config, kTokens, [&] { return parse_token_ids(ids, config.model.vocab); });
    return;
  }
  tokenizer_ = load_tokenizer(config);
  if (!tokenizer_) {
    throw config.error(
        kPrompt, "the model was trained on token shards: no vocabulary says which text a token is",
        "give ids instead, e.g. --prompt_tokens \"1,2,3\", or put the vocab.json of a run on text beside "
        "the checkpoint");
  }
  choices_ = tokenizer_->size();
  about(config, kPrompt, [&] { tokenizer_->encode(text_, tokens_); });
}

std::string Prompt::begin() { return tokenizer_ ? utf8_.put(text_) : fmt::format("{}", fmt::join(tokens_, " ")); }

std::string Prompt::put(std::uint16_t token) {
  return tokenizer_ ? utf8_.put(tokenizer_->decode({token})) : fmt::format(" {}", token);
}

}  // namespace weft
