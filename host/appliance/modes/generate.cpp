#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ostream>

#include "host/appliance/compile_plan.hpp"
#include "host/appliance/counted.hpp"
#include "host/appliance/generate/generator.hpp"
#include "host/appliance/generate/output.hpp"
#include "host/appliance/generate/prompts.hpp"
#include "host/appliance/generate/sampler.hpp"
#include "host/appliance/modes/modes.hpp"
#include "host/appliance/train/load_weights.hpp"
#include "host/appliance/train/trainer.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/compiler/tensors.hpp"

namespace weft {
namespace {

/// A prompt, and what has followed it so far.
struct Text {
  std::size_t number;
  std::vector<std::uint16_t> tokens;
  Continuation printed;
  Sampler sampler;
  int added = 0;
};

/// By the prompt, so that prompts draw independently of each other, and each as if it were alone.
Sampler sampler_of(const RunConfig& run, const std::vector<std::uint16_t>& prompt) {
  const auto bytes = std::span(reinterpret_cast<const std::uint8_t*>(prompt.data()), 2 * prompt.size());
  return Sampler({.temperature = run.temperature,
                  .top_k = run.top_k,
                  .top_p = run.top_p,
                  .seed = static_cast<std::uint64_t>(run.seed),
                  .text = crc32c(bytes)});
}

std::string summary(const Config& config, int tokens, std::size_t prompts, std::uint64_t cycles, double seconds) {
  const std::string of = prompts > 1 ? fmt::format(" of {}", counted(prompts, "prompt")) : "";
  std::string line =
      fmt::format("{}{} in {:.3g} s, {:.3g} tokens/s", counted(tokens, "token"), of, seconds, tokens / seconds);
  const std::string backend = config.backend_of(0);
  if (backend != "model")
    line += fmt::format(", {} {}cycles, {} a token", cycles, backend == "rtl" ? "simulated " : "", cycles / tokens);
  return line + "\n";
}

/// Goes on with all texts, a token each, as many at once as the plan takes. Returns how many tokens were made.
int go_on(const Config& config, const Prompts& prompts, std::size_t at_once, Generator& generator, Output& output) {
  const RunConfig& run = config.runconfig;
  std::vector<Text> texts;
  for (std::size_t n = 0; n < prompts.size(); ++n) {
    texts.push_back({n, prompts.tokens(n), prompts.continuation(n), sampler_of(run, prompts.tokens(n))});
    output.put(n, texts.back().printed.begin());
  }
  int made = 0;
  for (; !texts.empty(); std::erase_if(texts, [](const Text& text) { return text.added < 0; })) {
    for (std::size_t first = 0; first < texts.size(); first += at_once) {
      const auto some = std::span(texts).subspan(first, std::min(at_once, texts.size() - first));
      std::vector<std::span<const std::uint16_t>> tokens;
      for (const Text& text : some) tokens.emplace_back(text.tokens);
      const std::vector<std::vector<float>> logits = generator.logits(tokens);
      for (std::size_t n = 0; n < some.size(); ++n, ++made) {
        Text& text = some[n];
        const auto known = std::span(logits[n]).first(static_cast<std::size_t>(prompts.choices()));
        const int token = text.sampler.choose(known, static_cast<std::uint64_t>(text.added++));
        text.tokens.push_back(static_cast<std::uint16_t>(token));
        output.put(text.number, text.printed.put(text.tokens.back()));
        if (text.added < run.max_new_tokens && !text.printed.stopped()) continue;
        output.put(text.number, text.printed.end());
        output.end(text.number);
        text.added = -1;
      }
    }
  }
  return made;
}

}  // namespace

int generate(const Config& config, const MakeWafer& make_wafer, std::ostream& out, std::ostream& notes) {
  const Prompts prompts(config);
  const Start start = load_weights(config, model_tensors(config.model));
  const Plan plan = compile_plan(config, start_mask(config, start));
  MemoryX memoryx(plan, memoryx_options(config));
  restore(*start.checkpoint, plan, memoryx);
  Generator generator(plan, memoryx.store().weights(), make_wafer(0));

  Output output(out, prompts.size());
  const std::uint64_t loaded = generator.cycles();
  const auto begin = std::chrono::steady_clock::now();
  const int tokens = go_on(config, prompts, static_cast<std::size_t>(plan.model.micro_batch), generator, output);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  for (const std::string& line : start.lines) notes << line << '\n';
  if (const auto note = note_pruned(start, plan)) notes << *note << '\n';
  notes << summary(config, tokens, prompts.size(), generator.cycles() - loaded, time.count());
  return 0;
}

}  // namespace weft
