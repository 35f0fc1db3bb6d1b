#include "host/generate/prompts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "host/config/error_context.hpp"
#include "host/data/load_data.hpp"
#include "host/tokenizer/config_tokenizer.hpp"
#include "sw/base/refusal.hpp"

namespace weft::generate {
namespace {

constexpr auto kPrompt = "runconfig.prompt", kTokens = "runconfig.prompt_tokens", kFile = "runconfig.prompts_file",
               kStop = "runconfig.stop";

/// Calls `read` for each of `texts`; errors name the key, and the text's number if there are several.
template <class Read>
void for_each(const config::Config& config, const char* key, const char* what, const std::vector<std::string>& texts,
              const Read& read) {
  for (std::size_t n = 0; n < texts.size(); ++n) {
    try {
      read(texts[n]);
    } catch (const Refusal& e) {
      throw config.error(key, texts.size() > 1 ? e.within(fmt::format("{} {}", what, n + 1)) : e);
    }
  }
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<TokenId> parse_token_ids(std::string_view text, int vocab) {
  std::vector<TokenId> ids;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string_view word = trimmed(text.substr(at, comma - at));
    at = comma + 1;
    std::uint64_t id = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (error == std::errc::invalid_argument || end != word.data() + word.size()) {
      throw Refusal("", fmt::format("\"{}\" is not a token id", word),
                    "write ids with commas between them, e.g. \"1,2,3\"");
    }
    if (error != std::errc{} || id >= static_cast<std::uint64_t>(vocab)) {
      throw Refusal("", fmt::format("token {} is not below model.vocab_size {}", word, vocab),
                    fmt::format("use ids of 0 to {}", vocab - 1));
    }
    ids.push_back(static_cast<TokenId>(id));
  }
  return ids;
}

Prompts::Prompts(const config::Config& config) {
  config.runconfig.prompt_tokens.empty() ? read_texts(config) : read_ids(config);
}

void Prompts::read_ids(const config::Config& config) {
  const int vocab = config.model.vocab;
  const auto vocabulary = tokenizer::saved_tokenizer(config);
  choices_ = vocabulary ? std::min(vocabulary->size(), vocab) : vocab;
  for_each(config, kTokens, "prompt", config.runconfig.prompt_tokens,
           [&](const std::string& ids) { tokens_.push_back(parse_token_ids(ids, vocab)); });
  for_each(config, kStop, "stop word", config.runconfig.stop, [&](const std::string& text) {
    const std::vector<TokenId> ids = parse_token_ids(text, vocab);
    stop_ids_.emplace_back(ids.begin(), ids.end());
  });
}

void Prompts::read_texts(const config::Config& config) {
  const char* key = config.runconfig.prompts_file.empty() ? kPrompt : kFile;
  tokenizer_ = data::load_tokenizer(config);
  if (!tokenizer_) {
    throw config.error(key, "the model was trained on token shards: no vocabulary maps tokens to text",
                       "give ids instead, e.g. --prompt_tokens \"1,2,3\", or put the vocab.json of a run on text next "
                       "to the checkpoint");
  }
  choices_ = tokenizer_->size();
  texts_ = config.runconfig.prompt;
  stop_ = config.runconfig.stop;
  for_each(config, key, "prompt", texts_,
           [&](const std::string& text) { tokenizer_->encode(text, tokens_.emplace_back()); });
}

Continuation Prompts::continuation(std::size_t n) const {
  return tokenizer_ ? Continuation(*tokenizer_, texts_[n], stop_) : Continuation(tokens_[n], stop_ids_);
}

}  // namespace weft::generate
