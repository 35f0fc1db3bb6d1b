#include "host/train/sample_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "host/config/error_context.hpp"

namespace weft::train {
namespace {

/// The text of the first sequence of `tokens`.
std::string text_of(std::vector<TokenId> tokens, int seq, const std::optional<tokenizer::Tokenizer>& tokenizer) {
  tokens.resize(std::min(tokens.size(), static_cast<std::size_t>(seq)));
  const auto known = [&](TokenId token) { return token < static_cast<TokenId>(tokenizer->size()); };
  if (tokenizer && std::ranges::all_of(tokens, known)) return tokenizer->decode(tokens);
  return fmt::format("{}", fmt::join(tokens, " "));
}

}  // namespace

metrics::SessionStart session_start(const config::Config& config, const Trainer& trainer,
                                    const std::optional<tokenizer::Tokenizer>& tokenizer, std::string run,
                                    const std::optional<metrics::StepMetrics>& last) {
  metrics::SessionStart start{.run = std::move(run), .done = trainer.history().done(), .last = last};
  if (config.runconfig.save_summary_steps == 0) return start;
  const int seq = config.model.seq;
  start.sample = config::about(config, "train_input.data_dir", [&] {
    return text_of(trainer.data().micro_batch(trainer.history().done(), 0).inputs, seq, tokenizer);
  });
  if (const Evaluation* evaluation = trainer.evaluation()) {
    start.eval_sample = config::about(config, "eval_input.data_dir", [&] {
      return text_of(evaluation->data().micro_batch(0).inputs, seq, tokenizer);
    });
  }
  return start;
}

}  // namespace weft::train
