#include "sw/check/check.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <ostream>
#include <unordered_map>

#include "sw/check/tiles.hpp"
#include "sw/hang/report.hpp"

namespace weft::check {
namespace {

/// All of a network that decides how it runs.
std::string key(const Network& n) {
  std::string text;
  const auto bytes = [&text](const auto& x) { text.append(reinterpret_cast<const char*>(&x), sizeof x); };
  const Trace* before = nullptr;
  for (const Trace* trace : n.traces) {
    if (trace == before) continue;
    before = trace;
    for (const auto* events : {&trace->main, &trace->psum}) {
      bytes(events->size());
      for (const Event& e : *events) {
        bytes(e.kind), bytes(e.pc), bytes(e.n), bytes(e.cin), bytes(e.cout), bytes(e.takes), bytes(e.sends);
        text += static_cast<char>(e.q | e.pm << 1 | e.per_east << 2 | e.not_last << 3);
      }
    }
  }
  const Routes* routes = nullptr;
  for (const Routes* r : n.routes) {
    if (r == routes) continue;
    routes = r;
    for (const auto& port : *r) text.append(port.begin(), port.end());
  }
  for (const auto& valve : n.valves) {
    bytes(valve.size());
    for (const int m : valve) bytes(static_cast<std::int16_t>(m));
  }
  return text;
}

/// Words that rows' outlets get.
std::vector<std::uint64_t> returned(const Network& n, const Order& order) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>(n.shape.rows));
  const Agents agents(n);
  std::map<std::uint32_t, std::size_t> outlets;
  for (int row = 0; row < n.shape.rows; ++row)
    for (int port = 0; port < 5; ++port)
      for (int color = 0; color < n.shape.colors; ++color)
        outlets[agents.branch(row * n.shape.cols, port, color, 3)] = static_cast<std::size_t>(row);
  const std::uint32_t first = agents.branch(0, 0, 0, 0);
  for (const Step& step : order) {
    if (step.agent < first || (step.agent - first) % 6 != 3) continue;
    if (const auto at = outlets.find(step.agent); at != outlets.end()) words[at->second] += step.n;
  }
  return words;
}

void write(const Network& n, const std::string& name, const Order& order, std::ostream& out) {
  const Agents agents(n);
  std::unordered_map<std::uint32_t, bool> named;
  out << "phase " << name << "\n";
  for (const Step& step : order) {
    if (!named[step.agent]) out << "agent " << step.agent << " " << agents.name(step.agent) << "\n";
    named[step.agent] = true;
    out << step.agent << " " << step.n << "\n";
  }
}

/// Empty: it can run, and ends.
std::string problem(const Input& input, const Phase& phase, const Network& n, const Watch& watch, PhaseResult& result) {
  const std::vector<std::string> routes = route_problems(n, input.program);
  if (!routes.empty()) {
    std::string text;
    for (const std::string& line : routes) text += (text.empty() ? "" : "\n") + line;
    return text;
  }
  Order order;
  const Outcome outcome = schedule(n, order);
  for (const Step& step : order) result.steps += step.n;
  if (!outcome.done) return hang::report(outcome.standstill, &input.program);
  if (!outcome.left.empty()) {
    std::string text = "words are left over";
    for (const std::string& line : outcome.left) text += "\n" + line;
    return text;
  }
  if (const std::string bad = verify(n, order); !bad.empty()) return "the order that was found is none: " + bad;
  if (phase.returned) {
    const auto words = returned(n, order);
    for (std::size_t r = 0; r < words.size(); ++r)
      if (words[r] != (*phase.returned)[r])
        return "row " + std::to_string(r) + "'s outlet gets " + std::to_string(words[r]) +
               " words, and the host awaits " + std::to_string((*phase.returned)[r]);
  }
  if (watch.order) write(n, phase.name, order, *watch.order);
  return "";
}

Result check(const Input& input, const Watch& watch, bool by_row) {
  Result result;
  Tiles tiles(input, by_row);
  std::unordered_map<std::string, std::string> known;  // what decides it, the phase that had it first
  for (const Phase& phase : input.phases) {
    PhaseResult r;
    r.name = phase.name;
    r.messages = phase.messages.size();
    try {
      tiles.read(phase);
      const Network n = tiles.network(phase);
      for (const Trace* trace : n.traces) r.events += trace->main.size() + trace->psum.size();
      const auto [same, fresh] = known.try_emplace(key(n), phase.name);
      if (fresh) {
        r.problem = problem(input, phase, n, watch, r);
        if (watch.graph) draw(n, phase.name, *watch.graph);
      } else {
        r.same_as = same->second;
      }
    } catch (const Finding& finding) {
      r.problem = tiles.name(finding);
    }
    result.phases.push_back(r);
    if (watch.phase) watch.phase(r);
    if (!r.problem.empty()) break;
  }
  return result;
}

}  // namespace

bool Result::certified() const {
  return std::ranges::all_of(phases, [](const PhaseResult& r) { return r.problem.empty(); });
}

Result check(const Input& input, const Watch& watch) {
  if (watch.by_tile) return check(input, watch, false);
  // Columns that differ show in the first phase that tells them apart. What was said before holds for tiles, too, so it
  // is not said again.
  std::size_t said = 0;
  Watch rows = watch;
  rows.phase = [&](const PhaseResult& r) {
    ++said;
    if (watch.phase) watch.phase(r);
  };
  try {
    return check(input, rows, true);
  } catch (const ColumnsDiffer&) {
  }
  Watch tiles = watch;
  std::size_t now = 0;
  tiles.phase = [&](const PhaseResult& r) {
    if (++now > said && watch.phase) watch.phase(r);
  };
  return check(input, tiles, false);
}

Input input_of(const Plan& plan) {
  Input input;
  input.shape = plan.wafer;
  input.program = plan.program;
  const std::vector<std::uint32_t> none(static_cast<std::size_t>(plan.wafer.rows));
  input.phases.push_back({"load", plan.load, true, none});
  const std::vector<TokenId> tokens(static_cast<std::size_t>(plan.model.micro_batch * plan.model.seq));
  input.phases.push_back({"tokens", plan.tokens(tokens, tokens), false, none});
  for (const Op& op : plan.ops) {
    Phase phase{op.name, {}, true, op.returned};
    expand(op, {}, phase.messages);
    input.phases.push_back(std::move(phase));
  }
  return input;
}

}  // namespace weft::check
