#include "host/inspect/check/check.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <ostream>

#include "host/checkpoint/output_file.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/system/overwrite_guard.hpp"
#include "host/system/progress.hpp"
#include "host/train/load_weights.hpp"
#include "sw/deadlock/check.hpp"

namespace weft::inspect {
namespace {

/// Opens the file of an option. An existing file is replaced only if it begins with `bytes`, as an earlier output of
/// the same kind does.
std::unique_ptr<checkpoint::OutputFile> opened(const std::map<std::string, std::string>& options,
                                               const std::string& name, std::string_view bytes) {
  const auto at = options.find(name);
  if (at == options.end()) return nullptr;
  system::guard_overwrite(at->second, bytes);
  return std::make_unique<checkpoint::OutputFile>(at->second);
}

}  // namespace

int check_command(const config::Config& config, const std::map<std::string, std::string>& options, std::ostream& out,
                  system::Progress* progress) {
  const auto begin = std::chrono::steady_clock::now();
  const compiler::Plan plan = planning::compile_plan(config, train::first_mask(config));
  const auto order = opened(options, "check.out", "phase "), graph = opened(options, "check.dot", "digraph ");
  deadlock::Watch watch;
  if (order) watch.order = &order->stream();
  if (graph) watch.graph = &graph->stream();
  out << fmt::format("{:<32} {:>10} {:>10} {:>12}  {}\n", "phase", "messages", "events", "steps", "verdict");
  std::string bar;
  if (progress != nullptr)
    watch.sent = [&](const std::string& name, std::uint64_t sent, std::uint64_t all) {
      if (bar != name) progress->begin(name, all);
      bar = name;
      progress->show(sent);
    };
  watch.phase = [&](const deadlock::PhaseResult& p) {
    if (progress != nullptr) progress->clear();
    const std::string verdict = !p.problem.empty()  ? "BROKEN"
                                : p.same_as.empty() ? "ends, order verified"
                                                    : "as " + p.same_as;
    out << fmt::format("{:<32} {:>10} {:>10} {:>12}  {}", p.name, p.messages, p.events,
                       p.steps ? std::to_string(p.steps) : "-", verdict)
        << std::endl;  // flushed, because the check takes a while
  };
  const deadlock::Input input = deadlock::input_of(plan);
  const deadlock::Result result = deadlock::check(input, watch);
  if (order) order->commit();
  if (graph) graph->commit();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (result.certified()) {
    out << fmt::format("certified: no order of events makes the program hang, for any weights and tokens; {:.1f} s\n",
                       seconds);
    return 0;
  }
  out << fmt::format("\n{}: {}\n", result.phases.back().name, result.phases.back().problem);
  out << fmt::format("not certified: {} of {} phases were checked; {:.1f} s\n", result.phases.size(),
                     input.phases.size(), seconds);
  return 1;
}

}  // namespace weft::inspect
