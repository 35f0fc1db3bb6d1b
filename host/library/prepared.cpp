#include "host/library/prepared.hpp"

#include <cstdlib>
#include <string>
#include <utility>

#include "host/cli/prepare.hpp"
#include "host/config/file/model_zoo_values.hpp"
#include "host/config/file/show.hpp"
#include "host/config/keys/key_names.hpp"
#include "host/config/keys/without_effect.hpp"
#include "host/ranks/ranks.hpp"

namespace weft::library {

Prepared::Prepared(ReadConfig read, Log log) : read_(std::move(read)), log_(std::move(log)) {
  if (ranks::read_ranks([](const char* name) -> const char* { return std::getenv(name); }))
    throw Refusal("weft", "runs in one process in a program, but this is one of several",
                  "use weft run in each process");
  context_.allow_other_bits = read_.arguments.options.contains("allow_other_bits");
  try {
    const std::vector<std::string> without_effect = config::notes_without_effect(read_.config, false);
    const auto choices = cli::choose(read_.config, context_, read_.arguments.options, false, out_);
    if (read_.config.runconfig.mode.starts_with("train")) config::print_changes(read_.config, out_);
    for (const std::string& line : config::notes_on_names(read_.config)) out_ << line << '\n';
    for (const std::string& line : without_effect) out_ << line << '\n';
    for (const planning::Choice& choice : choices)
      if (!choice.note.empty()) out_ << "note    " << choice.note << '\n';
  } catch (const Refusal& refusal) {
    throw config::placed(read_.config, refusal);
  }
}

swarmx::MakeWafer Prepared::make_wafer() const {
  return cli::wafers(read_.config, context_, read_.arguments, nullptr, traffic_);
}

void Prepared::pass_on() {
  std::istringstream lines(out_.str());
  out_.str("");
  if (!log_) return;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) log_(line);
}

}  // namespace weft::library
