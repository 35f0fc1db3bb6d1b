/// Commands of `weft` that need a whole wafer. Each prints to standard output, returns the program's exit code, and
/// throws Refusal at the place where the key at fault was set.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "host/config/command_line/arguments.hpp"
#include "host/config/config.hpp"
#include "host/planning/saved_plan.hpp"
#include "host/ranks/rank_log.hpp"
#include "sw/asm/assembler.hpp"
#include "verif/wafer.hpp"

namespace weft::cli {

/// A wafer of a run that is traced.
struct TracedWafer {
  int wafer = 0;
  /// Creates it. The argument is called when the trace begins.
  std::function<std::unique_ptr<Wafer>(std::function<assembler::Program()>)> make;
};

/// Additions of weft-inspect to `weft`, which has no RTL for inspection, debugger or deadlock check, so that `make sim`
/// need not compile them.
struct Inspection {
  /// Runs a command that inspects (config::CommandInfo).
  int (*command)(const config::Arguments& arguments);
  /// The wafer that the options trace.* of `weft run` select; nullopt if there are none. `plan`: the plan, if it is not
  /// compiled (compile_plan.hpp).
  std::optional<TracedWafer> (*traced)(const config::Config& config, const config::Options& options,
                                       const planning::LoadedPlan* plan);
};

/// `weft run`. Sets `log` to the log of a training rank; it must outlive the report of a failure. `inspection`: null if
/// no options select a wafer to trace.
int run_command(const config::Arguments& arguments, config::Config config, std::unique_ptr<ranks::RankLog>& log,
                const Inspection* inspection);

}  // namespace weft::cli
