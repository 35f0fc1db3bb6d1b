#include "host/inspect/bisect/program_side.hpp"

#include <fmt/format.h>

#include "host/inspect/bisect/execute.hpp"
#include "sw/base/invariant.hpp"
#include "sw/base/refusal.hpp"

namespace weft::inspect::bisect {

ProgramSide::ProgramSide(std::vector<std::string> words, std::filesystem::path folder, std::string name,
                         system::Progress* progress)
    : words_(std::move(words)), folder_(std::move(folder)), name_(std::move(name)), progress_(progress) {
  invariant(!words_.empty(), "a side of a bisection has a program");
  if (words_.size() > 1 && !words_[1].starts_with("-")) words_.erase(words_.begin() + 1);
  words_.insert(words_.begin() + 1, "trail");  // the old name of `weft fingerprint`, which older commits know, too
}

std::filesystem::path ProgramSide::record(Level level, const std::vector<std::string>& more) {
  const std::filesystem::path file = folder_ / (name_ + "." + level_name(level));
  const std::filesystem::path log = folder_ / (name_ + ".log");
  std::vector<std::string> words = words_;
  words.insert(words.end(), {"--level", level_name(level), "--out", file.string()});
  words.insert(words.end(), more.begin(), more.end());
  const system::ElapsedTime time(progress_, fmt::format("{}: fingerprint, {}", name_, level_name(level)));
  if (const int code = execute(words, log); code != 0)
    throw Refusal("--" + name_, fmt::format("{} trail: exit {}: {}", words[0], code, last_line(log)),
                  "see " + log.string());
  return file;
}

Steps ProgramSide::steps() { return load<Steps>(record(Level::Steps, {})); }

State ProgramSide::state(std::uint64_t step) {
  return load<State>(record(Level::State, {"--step", std::to_string(step)}));
}

Phases ProgramSide::phases(std::uint64_t step) {
  return load<Phases>(record(Level::Phases, {"--step", std::to_string(step)}));
}

Phase ProgramSide::phase(const Request& r) {
  return load<Phase>(record(Level::Phase, {"--step", std::to_string(r.step), "--wafer", std::to_string(r.micro_batch),
                                           "--phase", r.phase, "--tile", fmt::format("{},{}", r.row, r.col)}));
}

}  // namespace weft::inspect::bisect
