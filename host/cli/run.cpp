#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/cli/commands.hpp"
#include "host/cli/environment.hpp"
#include "host/cli/modes/host_memory.hpp"
#include "host/cli/modes/modes.hpp"
#include "host/cli/prepare.hpp"
#include "host/config/file/model_zoo_values.hpp"
#include "host/config/file/show.hpp"
#include "host/config/keys/key_names.hpp"
#include "host/config/keys/without_effect.hpp"
#include "host/data/load_data.hpp"
#include "host/ranks/joining.hpp"
#include "host/ranks/launchers.hpp"
#include "host/ranks/member_ranks.hpp"
#include "host/ranks/run_context.hpp"
#include "host/system/overwrite_guard.hpp"
#include "host/system/progress.hpp"
#include "host/system/version.hpp"
#include "host/tokenizer/config_tokenizer.hpp"

namespace weft::cli {
namespace {

/// Options of mode compile_only.
CompileOptions compile_options(const config::Options& options, const std::string& mode) {
  for (const char* name : {"measure", "clock", "save"})
    if (options.contains(name) && mode != "compile_only")
      throw Refusal("--" + std::string(name), "does not apply to mode " + mode, "use it with --mode compile_only");
  if (options.contains("measure") && options.contains("json"))
    throw Refusal("--measure", "cannot be combined with --json, which prints computed values only", "leave one out");
  const std::uint64_t mhz = config::number(options, "clock", 50);
  if (mhz == 0) throw Refusal("--clock", "0 MHz is not a clock rate", "give the million cycles per second");
  const auto save = options.find("save");
  if (save != options.end()) system::guard_overwrite(save->second, "WEFTPLAN");
  return {.json = options.contains("json"),
          .measure = options.contains("measure"),
          .clock_mhz = static_cast<double>(mhz),
          .save = save == options.end() ? "" : save->second};
}

/// Options of mode eval, and `--json`, which compile_only has as well.
EvalOptions eval_options(const config::Options& options, const std::string& mode, bool ranks) {
  if (options.contains("json") && mode != "eval" && mode != "compile_only")
    throw Refusal("--json", "does not apply to mode " + mode,
                  mode.starts_with("train") ? "metrics.jsonl in --model_dir has an object for each step"
                                            : "use it with --mode eval or compile_only");
  const std::string logits = config::option(options, "logits", "");
  if (!logits.empty() && (mode != "eval" || ranks))
    throw Refusal("--logits", "applies to mode eval in one process only", "leave it out, or use --mode eval");
  if (!logits.empty()) system::guard_overwrite(logits, "{\"tokens\"", 8);
  return {.json = options.contains("json"), .logits = logits};
}

/// Runs the role of this rank.
int run_rank(const config::Config& config, const ranks::Joining& joining, const ranks::Ranks& rank,
             const swarmx::MakeWafer& make, const std::function<int()>& root) {
  if (rank.root()) return root();
  if (joining.is_data_rank(rank)) return ranks::run_data_rank(config, joining, std::cout);
  if (joining.is_memory_rank(rank)) return ranks::run_memory_rank(config, rank, joining, std::cout);
  if (joining.is_node_rank(rank)) return ranks::run_node_rank(config, rank, joining, std::cout);
  return ranks::run_wafer_rank(config, rank, joining, make, std::cout);
}

int run(config::Config& config, const config::Arguments& arguments, std::unique_ptr<ranks::RankLog>& log,
        const Inspection* inspection) {
  const std::string mode = config.runconfig.mode;
  const bool text_alone = mode == "generate" || arguments.options.contains("json");
  std::ostream& notes = text_alone ? std::cerr : std::cout;
  const auto environment = [](const char* name) -> const char* { return std::getenv(name); };
  const auto ranks = ranks::read_ranks(environment);
  for (const char* name : {"save", "plan", "logits"})  // an unset shell variable gives an empty value
    if (const auto at = arguments.options.find(name); at != arguments.options.end() && at->second.empty())
      throw Refusal("--" + std::string(name), "names no file", "write its name");
  CompileOptions plan_only = compile_options(arguments.options, mode);
  const EvalOptions eval = eval_options(arguments.options, mode, ranks.has_value());
  ranks::RunContext context{.allow_other_bits = arguments.options.contains("allow_other_bits")};
  if (context.allow_other_bits && !mode.starts_with("train"))
    throw Refusal("--allow_other_bits", "does not apply to mode " + mode, "leave it out");
  const std::vector<std::string> without_effect = config::notes_without_effect(config, ranks.has_value());
  plan_only.choices = choose(config, context, arguments.options, ranks.has_value(), notes);
  const auto traffic = std::make_shared<board::LinkTraffic>();
  const swarmx::MakeWafer make = wafers(config, context, arguments, inspection, traffic);

  if (ranks) context.joining = ranks::join_ranks(config, *ranks, system::build_text());
  if (const auto note = ranks::note_launchers(environment)) notes << *note << '\n';
  const auto note = ranks ? std::nullopt : ranks::note_single_process(config, environment("RANK") != nullptr);
  if (ranks && mode != "eval") log = std::make_unique<ranks::RankLog>(config.runconfig.model_dir, ranks->rank);
  if (!ranks || ranks->root()) {
    if (arguments.options.contains("show_config"))
      config::print_config(config, notes);
    else if (!text_alone)
      config::print_changes(config, std::cout);
  }
  if (note) notes << *note << '\n';
  if (!ranks || ranks->root()) {
    for (const std::string& line : config::notes_on_names(config)) notes << line << '\n';
    for (const std::string& line : without_effect) notes << line << '\n';
    for (const planning::Choice& choice : plan_only.choices)
      if (!choice.note.empty()) notes << "note    " << choice.note << '\n';
    if (const auto format = data::note_shard_format(config)) notes << *format << '\n';
    if (const auto files = tokenizer::note_vocab_file(config)) notes << *files << '\n';
  }
  if (!ranks && !arguments.options.contains("quiet") && shows_progress())
    context.progress = std::make_shared<system::Progress>(std::cerr, true);
  if (mode == "compile_only") return compile_only(config, std::cout, context, plan_only);
  if (mode != "validate_only" && ranks)
    check_host_memory(config, context.joining->is_wafer_rank(*ranks) ? 1 : 0, context.joining->memory);

  const auto whole = [&] {
    return mode == "eval" ? evaluate(config, make, std::cout, notes, context, eval)
                          : run_mode(config, make, std::cout, context);
  };
  const int code = ranks ? run_rank(config, *context.joining, *ranks, make, whole) : whole();
  notes << traffic->text();
  return code;
}

}  // namespace

int run_command(const config::Arguments& arguments, config::Config config, std::unique_ptr<ranks::RankLog>& log,
                const Inspection* inspection) {
  try {
    return run(config, arguments, log, inspection);
  } catch (const Refusal& refusal) {
    throw config::placed(config, refusal);
  }
}

}  // namespace weft::cli
