/// Preparation of a run before its mode begins: automatic settings, and wafers. Shared by `weft run` and libweft
/// (host/library).
#pragma once

#include <iosfwd>
#include <memory>
#include <vector>

#include "host/board/wafer/link_traffic.hpp"
#include "host/cli/commands.hpp"
#include "host/config/command_line/arguments.hpp"
#include "host/planning/choice.hpp"
#include "host/ranks/run_context.hpp"
#include "host/swarmx/tree/worker_loop.hpp"

namespace weft::cli {

/// Applies `--plan FILE`, if given, and resolves the settings that are auto. Returns what was chosen, with the cost of
/// the next best in mode compile_only.
std::vector<planning::Choice> choose(config::Config& config, ranks::RunContext& context, const config::Options& options,
                                     bool ranks, std::ostream& notes);

/// Factory of wafers that report hangs. One of the wafers is traced if requested. The configuration, the context and
/// the arguments must outlive it.
swarmx::MakeWafer wafers(const config::Config& config, const ranks::RunContext& context,
                         const config::Arguments& arguments, const Inspection* inspection,
                         std::shared_ptr<board::LinkTraffic> traffic);

}  // namespace weft::cli
