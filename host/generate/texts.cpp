#include "host/generate/texts.hpp"

#include "host/data/tokens.hpp"

namespace weft::generate {
namespace {

/// Seeds the sampler by the prompt, so that the draws for a prompt do not depend on the other prompts.
Sampler sampler_of(const config::RunConfig& run, const std::vector<TokenId>& prompt) {
  return Sampler({.temperature = run.temperature,
                  .top_k = run.top_k,
                  .top_p = run.top_p,
                  .seed = static_cast<std::uint64_t>(run.seed),
                  .text = data::token_checksum(prompt, 0)});
}

}  // namespace

Texts::Texts(const config::RunConfig& run, const Prompts& prompts, Output& output)
    : run_(run), prompts_(prompts), output_(output) {
  for (std::size_t n = 0; n < prompts.size(); ++n) {
    texts_.push_back({prompts.tokens(n), prompts.continuation(n), sampler_of(run, prompts.tokens(n))});
    output.write(n, texts_.back().printed.begin());
  }
}

void Texts::add(std::size_t n, const std::vector<float>& logits) {
  Text& text = texts_[n];
  const auto known = std::span(logits).first(static_cast<std::size_t>(prompts_.choices()));
  const int token = text.sampler.choose(known, static_cast<std::uint64_t>(text.added++));
  ++added_;
  text.tokens.push_back(static_cast<TokenId>(token));
  output_.write(n, text.printed.push(text.tokens.back()));
  if (text.added < run_.max_new_tokens && !text.printed.stopped()) return;
  output_.write(n, text.printed.end());
  output_.end(n);
  text.ended = true;
}

}  // namespace weft::generate
