#include "host/inspect/debug/command.hpp"

#include <fmt/format.h>

#include <ostream>

#include "host/backends/backend.hpp"
#include "host/inspect/debug/lines.hpp"
#include "host/inspect/debug/model_target.hpp"
#include "host/inspect/debug/rtl_target.hpp"
#include "host/inspect/replay_to_step.hpp"
#include "host/inspect/snapshot_to_rtl.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/train/load_weights.hpp"

namespace weft::inspect {
namespace {

/// True if the configuration explicitly sets wafer.backend to the model; the default is the RTL.
bool wants_model(const config::Config& config) {
  return config.backend == "model" && config.places.contains("wafer.backend");
}

std::unique_ptr<debug::LiveTarget> make_target(bool model, ReplayToStep& start,
                                               std::span<const machine::Message> tokens, std::size_t phase) {
  const int threads = backends::model_threads(start.config());
  if (model)
    return std::make_unique<debug::ModelTarget>(start.plan(), start.parameters(), tokens, phase, threads,
                                                start.config().wafer_depth);
  return std::make_unique<debug::RtlTarget>(start.plan(), start.parameters(), tokens, phase, threads);
}

}  // namespace

int debug_live(const config::Config& config, const config::Options& options, std::istream& in, bool terminal,
               std::ostream& out, system::Progress* progress) {
  std::string name = config::option(options, "phase", "");
  if (name.empty()) throw Refusal("--phase", "missing", "name a phase, or a core dump: weft debug FILE.weftcore");
  if (name == "list") {
    list_phases(config, out);
    return 0;
  }
  if (options.contains("tile"))
    throw Refusal("--tile", "applies to a core dump only", "type tile " + options.at("tile"));
  const compiler::Plan plan = planning::compile_plan(config, train::first_mask(config));
  const std::size_t phase = find_phase(plan, name);
  out << note_other_name(plan, phase, name);
  name = plan.ops[phase].name;
  debug::Lines lines(options, in, terminal);
  ReplayToStep start(config, config::number(options, "step", 1), out, progress);
  const std::vector<machine::Message> tokens = start.tokens(config::number(options, "wafer", 0));
  const bool model = wants_model(config);
  const auto target = system::timed(progress, "model",
                                    [&] { return make_target(model, start, tokens, find_phase(start.plan(), name)); });
  debug::Shell shell(*target, out);
  out << fmt::format("before {}, on {}; help lists the commands\n", name, model ? "the model" : "the RTL");
  return lines.to(shell, out);
}

}  // namespace weft::inspect
