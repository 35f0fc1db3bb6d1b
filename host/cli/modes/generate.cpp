#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <ostream>

#include "host/cli/modes/modes.hpp"
#include "host/config/plural.hpp"
#include "host/generate/decoder.hpp"
#include "host/generate/generator.hpp"
#include "host/generate/output.hpp"
#include "host/generate/prompts.hpp"
#include "host/generate/texts.hpp"
#include "host/generate/use_cache.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/system/progress.hpp"
#include "host/train/load_weights.hpp"
#include "host/train/trainer.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::cli {
namespace {

std::string summary(const config::Config& config, int tokens, std::size_t prompts, std::uint64_t cycles,
                    double seconds) {
  const std::string of = prompts > 1 ? fmt::format(" of {}", config::plural(prompts, "prompt")) : "";
  std::string line =
      fmt::format("{}{} in {:.3g} s, {:.3g} tokens/s", config::plural(tokens, "token"), of, seconds, tokens / seconds);
  const config::BackendKind& backend = config.kind_of(0);
  if (backend.clock)
    line += fmt::format(", {} {}cycles, {} a token", cycles, backend.board ? "" : "simulated ", cycles / tokens);
  return line + "\n";
}

/// Displays how many of the tokens that are asked for there are.
void show(system::Progress* progress, const generate::Texts& texts) {
  if (progress != nullptr) progress->show(static_cast<std::uint64_t>(texts.added()));
}

/// Continues texts with cached keys and values: each pass processes one token of each text, until all have ended or
/// fill the window.
void go_on_keeping(std::span<const std::size_t> some, generate::Decoder& decoder, int window, generate::Texts& texts,
                   system::Progress* progress) {
  decoder.begin();
  for (int position = 0; position < window; ++position) {
    const auto at = static_cast<std::size_t>(position);
    std::vector<generate::Decoder::Next> next;
    std::vector<std::size_t> asked;
    bool more = false;
    for (const std::size_t n : some) {
      const std::vector<TokenId>& tokens = texts.tokens(n);
      const bool goes_on = !texts.ended(n) && at < tokens.size();
      next.push_back({goes_on ? tokens[at] : TokenId{0}, goes_on && at + 1 == tokens.size()});
      if (next.back().asked) asked.push_back(n);
      more |= goes_on;
    }
    if (!more) return;
    const std::vector<std::vector<float>> logits = decoder.next(next);
    for (std::size_t k = 0; k < asked.size(); ++k) texts.add(asked[k], logits[k]);
    show(progress, texts);
  }
}

/// Continues texts without a cache: each pass processes all tokens, of as many texts as the plan allows.
void go_on(std::size_t at_once, generate::Generator& generator, generate::Texts& texts, system::Progress* progress) {
  for (;;) {
    std::vector<std::size_t> left;
    for (std::size_t n = 0; n < texts.size(); ++n)
      if (!texts.ended(n)) left.push_back(n);
    if (left.empty()) return;
    for (std::size_t first = 0; first < left.size(); first += at_once) {
      const auto some = std::span(left).subspan(first, std::min(at_once, left.size() - first));
      std::vector<std::span<const TokenId>> tokens;
      for (const std::size_t n : some) tokens.emplace_back(texts.tokens(n));
      const std::vector<std::vector<float>> logits = generator.logits(tokens);
      for (std::size_t k = 0; k < some.size(); ++k) texts.add(some[k], logits[k]);
      show(progress, texts);
    }
  }
}

/// Indices of the prompts whose keys and values are cached.
std::vector<std::size_t> kept_of(const config::Config& config, const generate::Prompts& prompts) {
  std::vector<std::size_t> kept;
  for (std::size_t n = 0; n < prompts.size(); ++n)
    if (generate::keeps(config, prompts.tokens(n).size())) kept.push_back(n);
  return kept;
}

/// Writes the continuations by `weights` to `output`. Returns a summary.
std::string continue_to(generate::Output& output, const generate::Prompts& prompts, const config::Config& config,
                        const compiler::Plan& plan, std::span<const float> weights, const swarmx::MakeWafer& make_wafer,
                        system::Progress* progress) {
  const std::vector<std::size_t> kept = kept_of(config, prompts);
  const std::optional<compiler::Plan> decode = kept.empty() ? std::nullopt : generate::decode_plan(config, plan.mask);
  std::unique_ptr<Wafer> wafer = make_wafer(0);

  generate::Texts texts(config.runconfig, prompts, output);
  std::uint64_t cycles = 0;
  const auto begin = std::chrono::steady_clock::now();
  if (progress != nullptr)
    progress->begin("tokens", prompts.size() * static_cast<std::uint64_t>(config.runconfig.max_new_tokens));
  if (decode) {
    generate::Decoder decoder(*decode, weights, std::move(wafer));
    for (std::size_t first = 0; first < kept.size(); first += decoder.max_texts())
      go_on_keeping(std::span(kept).subspan(first, std::min(decoder.max_texts(), kept.size() - first)), decoder,
                    decode->model.seq, texts, progress);
    cycles += decoder.cycles();
    wafer = decoder.release();
  }
  if (!texts.all_ended()) {
    generate::Generator generator(plan, weights, std::move(wafer));
    go_on(static_cast<std::size_t>(plan.model.micro_batch), generator, texts, progress);
    cycles += generator.cycles();
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  if (progress != nullptr) progress->clear();
  return summary(config, texts.added(), prompts.size(), cycles, time.count());
}

/// Writes the continuations by a checkpoint to `output`.
void generate_to(generate::Output& output, const generate::Prompts& prompts, const config::Config& config,
                 const swarmx::MakeWafer& make_wafer, std::ostream& notes, system::Progress* progress) {
  const train::ResumePoint start = system::timed(progress, "reading the checkpoint", [&] {
    return train::load_weights(config, compiler::model_tensors(config.model));
  });
  const compiler::Plan plan = planning::compile_plan(config, train::initial_mask(config, start));
  const std::unique_ptr<memoryx::MemoryX> memoryx = train::weights_of(config, plan, *start.checkpoint);
  const std::string done = continue_to(output, prompts, config, plan, memoryx->store().weights(), make_wafer, progress);
  for (const std::string& line : start.lines) notes << line << '\n';
  if (const auto note = train::note_pruned(start, plan)) notes << *note << '\n';
  notes << done;
}

}  // namespace

int generate(const config::Config& config, const swarmx::MakeWafer& make_wafer, std::ostream& out, std::ostream& notes,
             system::Progress* progress) {
  const generate::Prompts prompts(config);
  generate::PrintedOutput output(out, prompts.size());
  generate_to(output, prompts, config, make_wafer, notes, progress);
  return 0;
}

std::vector<std::string> generate_texts(const config::Config& config, const swarmx::MakeWafer& make_wafer,
                                        std::ostream& notes) {
  const generate::Prompts prompts(config);
  generate::CollectedOutput output(prompts.size());
  generate_to(output, prompts, config, make_wafer, notes, nullptr);
  return output.texts();
}

std::vector<std::string> generate_texts(const config::Config& config, const compiler::Mask& mask,
                                        std::span<const float> weights, const swarmx::MakeWafer& make_wafer,
                                        std::ostream& notes) {
  const generate::Prompts prompts(config);
  generate::CollectedOutput output(prompts.size());
  const compiler::Plan plan = planning::compile_plan(config, mask);
  if (plan.parameters != weights.size())
    throw Refusal("model", fmt::format("has {} parameters, and the trained one {}", plan.parameters, weights.size()),
                  "leave the model's keys as they are");
  notes << continue_to(output, prompts, config, plan, weights, make_wafer, nullptr);
  return output.texts();
}

}  // namespace weft::cli
