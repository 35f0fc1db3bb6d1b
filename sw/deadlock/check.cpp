#include "sw/deadlock/check.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <ostream>
#include <unordered_map>
#include <unordered_set>

#include "sw/compiler/stream/expand.hpp"
#include "sw/deadlock/report.hpp"
#include "sw/deadlock/tiles.hpp"

namespace weft::deadlock {
namespace {

/// Serializes everything in a network that determines its execution.
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

/// Counts the words that each row's outlet receives in an order.
class Returned {
 public:
  explicit Returned(const Network& n)
      : first_(Agents(n).branch(0, 0, 0, 0)), words_(static_cast<std::size_t>(n.shape.rows)) {
    const Agents agents(n);
    for (int row = 0; row < n.shape.rows; ++row)
      for (int port = 0; port < 5; ++port)
        for (int color = 0; color < n.shape.colors; ++color)
          outlets_[agents.branch(row * n.shape.cols, port, color, 3)] = static_cast<std::size_t>(row);
  }
  void take(const Step& step) {
    if (step.agent < first_ || (step.agent - first_) % 6 != 3) return;
    if (const auto at = outlets_.find(step.agent); at != outlets_.end()) words_[at->second] += step.n;
  }
  const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  std::uint32_t first_;
  std::vector<std::uint64_t> words_;  // [row]
  std::unordered_map<std::uint32_t, std::size_t> outlets_;
};

/// Writes an order.
class Writer {
 public:
  Writer(const Network& n, const std::string& name, std::ostream* out) : agents_(n), out_(out) {
    if (out_) *out_ << "phase " << name << "\n";
  }
  void take(const Step& step) {
    if (!out_) return;
    if (named_.insert(step.agent).second) *out_ << "agent " << step.agent << " " << agents_.name(step.agent) << "\n";
    *out_ << step.agent << " " << step.n << "\n";
  }

 private:
  const Agents agents_;
  std::ostream* out_;
  std::unordered_set<std::uint32_t> named_;
};

/// Checks one phase. Returns the problem; empty if the phase runs to its end.
std::string problem(const Input& input, const Phase& phase, const Network& n, const Watch& watch, PhaseResult& result) {
  const std::vector<std::string> routes = route_problems(n, programs_of(input));
  if (!routes.empty()) {
    std::string text;
    for (const std::string& line : routes) text += (text.empty() ? "" : "\n") + line;
    return text;
  }
  std::uint64_t sent = 0, all = 0;
  for (const auto& valve : n.valves) all += valve.size();
  Verifier verifier(n);
  Returned returned(n);
  Writer writer(n, phase.name, watch.order);
  const Outcome outcome = schedule(n, [&](std::span<const Step> steps) {
    verifier.apply(steps);
    for (const Step& step : steps) {
      result.steps += step.n;
      if (step.agent < n.valves.size()) sent += step.n;
      returned.take(step);
      writer.take(step);
    }
    if (watch.sent) watch.sent(phase.name, sent, all);
  });
  if (!outcome.done) return report(outcome.hang_snapshot, programs_of(input));
  if (!outcome.left.empty()) {
    std::string text = "words are left over";
    for (const std::string& line : outcome.left) text += "\n" + line;
    return text;
  }
  if (const std::string bad = verifier.end(); !bad.empty()) return "the order of events is not valid: " + bad;
  if (phase.returned) {
    const auto& words = returned.words();
    for (std::size_t r = 0; r < words.size(); ++r)
      if (words[r] != (*phase.returned)[r])
        return "row " + std::to_string(r) + "'s outlet gets " + std::to_string(words[r]) +
               " words, but the host awaits " + std::to_string((*phase.returned)[r]);
  }
  return "";
}

Result check(const Input& input, const Watch& watch, bool by_row) {
  Result result;
  Tiles tiles(input, by_row);
  std::unordered_map<std::string, std::string> known;  // [key()]: the first phase with that key
  for (const Phase& phase : input.phases) {
    PhaseResult r;
    r.name = phase.name;
    std::vector<machine::Message> made;
    if (phase.op) compiler::expand(*phase.op, {}, made);
    const std::vector<machine::Message>& messages = phase.op ? made : phase.messages;
    r.messages = messages.size();
    try {
      if (!phase.registers_known) tiles.forget_registers();
      tiles.read(messages, phase.known);
      const Network n = tiles.network(messages);
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
  // ColumnsDiffer is thrown in the first phase in which columns differ. Results reported before that hold for single
  // tiles, too, and are not reported again.
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

Programs programs_of(const Input& input) {
  if (input.others.empty()) return {&input.program};
  std::vector<const assembler::Program*> list{&input.program};
  for (const assembler::Program& other : input.others) list.push_back(&other);
  return Programs(std::move(list));
}

Input input_of(const compiler::Plan& plan) {
  Input input;
  input.shape = plan.wafer;
  input.program = plan.program;
  const std::vector<std::uint32_t> none(static_cast<std::size_t>(plan.wafer.rows));
  input.phases.push_back({"load", plan.load, true, none});
  const std::vector<TokenId> tokens(static_cast<std::size_t>(plan.model.micro_batch * plan.model.seq));
  input.phases.push_back({"tokens", plan.tokens(tokens, tokens), false, none});
  for (const compiler::Op& op : plan.ops) input.phases.push_back({op.name, {}, true, op.returned, &op});
  return input;
}

}  // namespace weft::deadlock
