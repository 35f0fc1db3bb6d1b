#include "host/cli/prepare.hpp"

#include <algorithm>
#include <iostream>
#include <optional>
#include <utility>

#include "host/backends/backend.hpp"
#include "host/cli/environment.hpp"
#include "host/cli/modes/host_memory.hpp"
#include "host/inspect/hang/watched_wafer.hpp"
#include "host/planning/choose_shape.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/planning/saved_plan.hpp"
#include "host/system/progress.hpp"
#include "host/train/recorded_shape.hpp"
#include "sw/compiler/plan/plan_file.hpp"

namespace weft::cli {
namespace {

/// Data about the run for the report on a hang.
deadlock::Core known(const config::Config& config, const ranks::RunContext& context,
                     const config::Arguments& arguments) {
  compiler::Plan plan = context.plan != nullptr ? context.plan->plan : planning::compile_plan(config, {});
  return {.hang_snapshot = {},
          .program = std::move(plan.program),
          .arrays = std::move(plan.arrays),
          .width = plan.tokens_per_column,
          .options = config::options_to_inspect(arguments)};
}

}  // namespace

std::vector<planning::Choice> choose(config::Config& config, ranks::RunContext& context, const config::Options& options,
                                     bool ranks, std::ostream& notes) {
  backends::meet_boards(config, notes);
  planning::check_fit(config);
  if (const auto plan = options.find("plan"); plan != options.end()) {
    if (config.runconfig.mode == "generate" || config.runconfig.mode == "validate_only")
      throw Refusal("--plan", "does not apply to mode " + config.runconfig.mode, "leave it out");
    context.plan = planning::load_plan(config, plan->second, notes);
  }
  const std::string& mode = config.runconfig.mode;
  if (!ranks && mode != "compile_only" && mode != "validate_only") {  // the choice for a large model takes minutes
    config::Config least = config;
    if (least.model.micro_batch == 0) least.model.micro_batch = least.train_input.batch_size;  // auto
    check_host_memory(least, config.wafers() - config.boards_before(config.wafers()), 0);
  }
  if (mode != "generate")
    if (const auto note = train::take_recorded_shape(config)) notes << *note << '\n';
  system::Progress progress(std::cerr, true);
  return planning::choose_shape(config,
                                {.explain = mode == "compile_only",
                                 .progress = shows_progress() && !options.contains("quiet") ? &progress : nullptr});
}

swarmx::MakeWafer wafers(const config::Config& config, const ranks::RunContext& context,
                         const config::Arguments& arguments, const Inspection* inspection,
                         std::shared_ptr<board::LinkTraffic> traffic) {
  const auto trace = inspection ? inspection->traced(config, arguments.options, context.plan.get()) : std::nullopt;
  return [&config, &context, &arguments, trace, traffic = std::move(traffic)](int id) {
    const auto core = [&] { return known(config, context, arguments); };
    auto wafer = trace && trace->wafer == id ? trace->make([core] { return core().program; })
                                             : backends::make_wafer(config, id, traffic);
    std::function<void()> begins;
    if (context.progress) begins = [progress = context.progress] { progress->add(); };
    return inspect::watched(std::move(wafer), config.runconfig.model_dir, core, std::move(begins));
  };
}

}  // namespace weft::cli
