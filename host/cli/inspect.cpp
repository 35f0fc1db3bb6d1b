#include "host/cli/inspect.hpp"

#include <unistd.h>

#include <iostream>
#include <utility>

#include "host/backends/backend.hpp"
#include "host/cli/environment.hpp"
#include "host/config/file/load.hpp"
#include "host/config/keys/key_names.hpp"
#include "host/inspect/bisect/command.hpp"
#include "host/inspect/check/check.hpp"
#include "host/inspect/debug/command.hpp"
#include "host/inspect/debug/core_command.hpp"
#include "host/inspect/option_check.hpp"
#include "host/inspect/profile/command.hpp"
#include "host/inspect/traced_wafer.hpp"
#include "host/inspect/waves.hpp"
#include "host/planning/choose_shape.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/system/progress.hpp"
#include "host/train/recorded_shape.hpp"

namespace weft::cli {
namespace {

/// Resolves the settings that are auto, as a run in the folder does. The wafer becomes one group of its rows.
void choose_shape(config::Config& config) {
  planning::check_fit(config);
  (void)train::take_recorded_shape(config);
  (void)planning::choose_shape(config);
  config = config.one_group();
}

int inspect(const config::Arguments& arguments, config::Config& config) {
  const bool check = arguments.command == "check";
  if (!check) inspect::check_options(arguments.command, config);
  if (arguments.command == "profile" && config.kind_of(0).board) {
    config.runconfig.num_csx = 1;  // only the measured board
    backends::meet_boards(config, std::cout);
  }
  choose_shape(config);
  system::Progress bar(std::cerr, true);
  system::Progress* const progress = shows_progress() ? &bar : nullptr;
  if (check) return inspect::check_command(config, arguments.options, std::cout, progress);
  if (arguments.command == "fingerprint")
    return inspect::bisect::fingerprint_command(config, arguments.options, std::cout, progress);
  if (arguments.command == "debug")
    return inspect::debug_live(config, arguments.options, std::cin, ::isatty(STDIN_FILENO) != 0, std::cout, progress);
  if (arguments.command == "profile")
    return inspect::profile_command(config, arguments.options, shows_colors(), std::cout, progress);
  return inspect::waves(config, arguments.options, std::cout, progress);
}

/// Inspects a core dump.
int inspect_core(const config::Arguments& arguments) {
  if (!arguments.params.empty() || !arguments.overrides.empty())
    throw Refusal("weft debug", "a core dump needs no configuration",
                  "leave --params and all keys out; or leave the core dump out, and name a --phase");
  return inspect::debug_core(arguments.options, std::cin, ::isatty(STDIN_FILENO) != 0, std::cout);
}

int inspect_command(const config::Arguments& arguments) {
  if (arguments.command == "bisect") {
    system::Progress progress(std::cerr, true);
    return inspect::bisect::bisect_command(arguments, program_sibling("weft"), std::cout,
                                           shows_progress() ? &progress : nullptr);
  }
  if (arguments.command == "debug") {
    if (arguments.options.contains("core")) return inspect_core(arguments);
    if (arguments.params.empty())
      throw Refusal("weft debug", "has nothing to inspect", "name a core dump, or --params FILE and --phase NAME");
  }
  config::Config config = config::load_config(arguments.params, arguments.overrides);
  try {
    return inspect(arguments, config);
  } catch (const Refusal& refusal) {
    throw config::placed(config, refusal);
  }
}

std::optional<TracedWafer> traced_wafer(const config::Config& config, const config::Options& options,
                                        const planning::LoadedPlan* plan) {
  auto request = inspect::trace_request(config, options, plan);
  if (!request) return std::nullopt;
  const int wafer = request->wafer;
  return TracedWafer{wafer, [&config, request = std::move(*request)](std::function<assembler::Program()> program) {
                       return inspect::traced(sim::make_clocked_wafer(config.wafer), request, std::move(program));
                     }};
}

}  // namespace

Inspection inspection() { return {.command = inspect_command, .traced = traced_wafer}; }

}  // namespace weft::cli
