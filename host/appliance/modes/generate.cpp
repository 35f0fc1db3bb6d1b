#include <fmt/format.h>

#include <chrono>
#include <ostream>

#include "host/appliance/compile_plan.hpp"
#include "host/appliance/counted.hpp"
#include "host/appliance/generate/generator.hpp"
#include "host/appliance/generate/prompt.hpp"
#include "host/appliance/generate/sampler.hpp"
#include "host/appliance/modes/modes.hpp"
#include "host/appliance/train/load_weights.hpp"
#include "host/appliance/train/trainer.hpp"
#include "sw/compiler/tensors.hpp"

namespace weft {
namespace {

std::string summary(const Config& config, std::uint64_t cycles, double seconds) {
  const int tokens = config.runconfig.max_new_tokens;
  std::string line =
      fmt::format("{} in {:.3g} s, {:.3g} tokens/s", counted(tokens, "token"), seconds, tokens / seconds);
  const std::string backend = config.backend_of(0);
  if (backend != "model")
    line += fmt::format(", {} {}cycles, {} a token", cycles, backend == "rtl" ? "simulated " : "", cycles / tokens);
  return line + "\n";
}

}  // namespace

int generate(const Config& config, const MakeWafer& make_wafer, std::ostream& out, std::ostream& notes) {
  const RunConfig& run = config.runconfig;
  Prompt prompt(config);
  std::vector<std::uint16_t> text = prompt.tokens();
  const Start start = load_weights(config, model_tensors(config.model));
  const Plan plan = compile_plan(config, start_mask(config, start));
  MemoryX memoryx(plan, memoryx_options(config));
  restore(*start.checkpoint, plan, memoryx);
  Generator generator(plan, memoryx.store().weights(), make_wafer(0));
  const Sampler sampler({run.temperature, run.top_k, static_cast<std::uint64_t>(run.seed)});

  out << prompt.begin() << std::flush;
  const std::uint64_t loaded = generator.cycles();
  const auto begin = std::chrono::steady_clock::now();
  for (int n = 0; n < run.max_new_tokens; ++n) {
    const std::vector<float> logits = generator.logits(text);
    const auto known = std::span(logits).first(static_cast<std::size_t>(prompt.choices()));
    text.push_back(static_cast<std::uint16_t>(sampler.choose(known, static_cast<std::uint64_t>(n))));
    out << prompt.put(text.back()) << std::flush;
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  out << prompt.end() << std::flush;
  for (const std::string& line : start.lines) notes << line << '\n';
  if (const auto note = note_pruned(start, plan)) notes << *note << '\n';
  notes << summary(config, generator.cycles() - loaded, time.count());
  return 0;
}

}  // namespace weft
