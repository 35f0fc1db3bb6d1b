#include "host/train/generated_text.hpp"

#include <algorithm>
#include <exception>
#include <memory>

#include "host/generate/decoder.hpp"
#include "host/generate/sampler.hpp"
#include "host/system/signals.hpp"
#include "sw/base/memory_room.hpp"
#include "sw/compiler/compile.hpp"
#include "verif/wafer.hpp"

namespace weft::train {

bool GeneratedText::due(const metrics::StepMetrics& metrics, bool checkpoint) const {
  if (config_.runconfig.save_summary_steps == 0 || !tokenizer_ || metrics.skipped) return false;
  if (trainer_.evaluation() != nullptr) return metrics.eval_loss.has_value();
  return checkpoint || metrics.step == static_cast<std::uint64_t>(config_.runconfig.steps());
}

std::optional<std::string> GeneratedText::next() {
  started_ = Clock::now();
  std::optional<std::string> text;
  try {
    if (has_time() && has_room()) text = generated();
  } catch (const std::exception&) {  // a text is not worth the end of a run
  }
  spent_ += Clock::now() - started_;
  return text;
}

std::optional<std::string> GeneratedText::generated() {
  const memoryx::MemoryX* const memoryx = trainer_.cluster().own_memoryx();
  if (memoryx == nullptr || memoryx->pages() != nullptr) return std::nullopt;
  std::vector<TokenId> tokens = prompt();
  const int choices = std::min(tokenizer_->size(), config_.model.vocab);
  const auto known = [&](TokenId token) { return token < static_cast<TokenId>(choices); };
  if (tokens.empty() || !std::ranges::all_of(tokens, known)) return std::nullopt;
  const compiler::Plan& plan = decode_plan();
  generate::Decoder decoder(plan, memoryx->parameters(), make_model_wafer(config_.wafer));
  const generate::Sampler sampler({.temperature = 0.8, .top_k = 40, .seed = 1});
  const std::size_t given = tokens.size();
  const std::size_t all = std::min(given + kTokens, static_cast<std::size_t>(config_.model.seq));
  for (std::size_t at = 0; tokens.size() < all; ++at) {
    if (system::interrupted()) return std::nullopt;
    if (!has_time()) break;
    const generate::Decoder::Next next{tokens[at], at + 1 >= given};
    const std::vector<std::vector<float>> logits = decoder.next(std::span(&next, 1));
    if (!next.asked) continue;
    const auto some = std::span(logits.front()).first(static_cast<std::size_t>(choices));
    tokens.push_back(static_cast<TokenId>(sampler.choose(some, at)));
  }
  if (tokens.size() == given) return std::nullopt;
  return tokenizer_->decode(tokens);
}

std::vector<TokenId> GeneratedText::prompt() const {
  std::vector<TokenId> tokens = trainer_.evaluation() != nullptr ? trainer_.evaluation()->data().micro_batch(0).inputs
                                                                 : trainer_.data().micro_batch_at(0, 0).inputs;
  const auto most = std::min(kPrompt, static_cast<std::size_t>(config_.model.seq) / 2);
  tokens.resize(std::min(tokens.size(), most));
  return tokens;
}

bool GeneratedText::has_room() const {
  const machine::WaferShape& wafer = config_.wafer;
  const double tiles = 1024.0 * wafer.sram_kib * wafer.rows * wafer.cols;
  return tiles <= kTileBytes && 2 * tiles < memory_room().left;
}

bool GeneratedText::has_time() const {
  const Clock::time_point now = Clock::now();
  return spent_ + (now - started_) < kSeconds + kShare * (now - begun_);
}

const compiler::Plan& GeneratedText::decode_plan() {
  if (!plan_ || plan_->mask != trainer_.plan().mask)
    plan_ = compiler::compile_decode(config_.model, config_.wafer, trainer_.plan().mask);
  return *plan_;
}

}  // namespace weft::train
