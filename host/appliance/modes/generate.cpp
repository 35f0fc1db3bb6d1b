#include <fmt/format.h>

#include <chrono>
#include <ostream>

#include "host/appliance/compile_plan.hpp"
#include "host/appliance/data_error.hpp"
#include "host/appliance/generate/generator.hpp"
#include "host/appliance/generate/sampler.hpp"
#include "host/appliance/generate/utf8_stream.hpp"
#include "host/appliance/load_data.hpp"
#include "host/appliance/load_weights.hpp"
#include "host/appliance/modes/modes.hpp"
#include "host/appliance/trainer.hpp"
#include "sw/compiler/tensors.hpp"

namespace weft {
namespace {

constexpr auto kPrompt = "runconfig.prompt";

Tokenizer tokenizer_of(const Config& config) {
  auto tokenizer = load_tokenizer(config);
  if (tokenizer) return std::move(*tokenizer);
  throw config.error(kPrompt, "the model was trained on token shards: no vocabulary says which text a token is",
                     "train on text, or put the vocab.json of a run on text beside the checkpoint");
}

std::vector<std::uint16_t> encode(const Config& config, const Tokenizer& tokenizer) {
  std::vector<std::uint16_t> text;
  try {
    tokenizer.encode(config.runconfig.prompt, text);
  } catch (const DataError& e) {
    throw config.error(kPrompt, e.what(), e.hint);
  }
  return text;
}

std::string summary(const Config& config, std::uint64_t cycles, double seconds) {
  const int tokens = config.runconfig.max_new_tokens;
  std::string line = fmt::format("{} tokens in {:.3g} s, {:.3g} tokens/s", tokens, seconds, tokens / seconds);
  if (config.backend == "rtl") line += fmt::format(", {} simulated cycles, {} a token", cycles, cycles / tokens);
  return line + "\n";
}

}  // namespace

int generate(const Config& config, const MakeWafer& make_wafer, std::ostream& out, std::ostream& notes) {
  const RunConfig& run = config.runconfig;
  const Tokenizer tokenizer = tokenizer_of(config);
  std::vector<std::uint16_t> text = encode(config, tokenizer);
  const Start start = load_weights(config, gpt2_tensors(config.model));
  const Plan plan = compile_plan(config, start_mask(config, start));
  MemoryX memoryx(plan, memoryx_options(config));
  restore(*start.checkpoint, plan, memoryx);
  Generator generator(plan, memoryx.store().weights(), make_wafer(0));
  const Sampler sampler({run.temperature, run.top_k, static_cast<std::uint64_t>(run.seed)});

  Utf8Stream utf8;
  out << utf8.put(run.prompt) << std::flush;
  const std::uint64_t loaded = generator.cycles();
  const auto begin = std::chrono::steady_clock::now();
  for (int n = 0; n < run.max_new_tokens; ++n) {
    const std::vector<float> logits = generator.logits(text);
    // A vocabulary may be smaller than the model's: what has no text is not chosen.
    const auto known = std::span(logits).first(static_cast<std::size_t>(tokenizer.size()));
    text.push_back(static_cast<std::uint16_t>(sampler.choose(known, static_cast<std::uint64_t>(n))));
    out << utf8.put(tokenizer.decode({text.back()})) << std::flush;
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  out << utf8.end() << std::endl;
  for (const std::string& line : start.lines) notes << line << '\n';
  notes << summary(config, generator.cycles() - loaded, time.count());
  return 0;
}

}  // namespace weft
