#include "host/planning/phases.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "host/planning/estimate/stream.hpp"
#include "host/planning/estimate/traffic.hpp"

namespace weft::planning {
namespace {

constexpr double kCall = 20;  // from a call's command to its kernel's first instruction, plus from its end to rest
constexpr double kOp = -10, kRowHop = 2,
                 kColumnHop = 1.5;  // cycles of an op until its first command is everywhere, per hop
constexpr double kIdle = 1.5;       // latency bounds an op that takes more than so many times the cycles of its busiest
                                    // resource
constexpr double kMatters = 0.002;  // fraction of an op's cycles below which messages sent ahead are neglected
constexpr double kRouterHop = 3;    // per router on W's path
constexpr double kRest = 7.5;       // for a rest before an op
constexpr double kRestRow = 6, kRestColumn = 2, kRestTurn = 7;  // constants per hop; kRestTurn where W turns around

/// Number of rows with work.
int rows_at_work(const compiler::Op& op, const machine::WaferShape& wafer, int features) {
  if (op.descriptor.empty()) return std::min(wafer.rows, features);
  int rows = 0;
  for (int r = 0; r < wafer.rows; ++r) rows += op.descriptor.outputs->count(r) > 0 ? 1 : 0;
  return rows;
}

}  // namespace

void Phase::add(const Phase& op) {
  ops += op.ops;
  sent += op.sent;
  weights += op.weights;
  returned += op.returned;
  beats += op.beats;
  cycles += op.cycles;
  rest += op.rest;
  for (std::size_t b = 0; b < bound_cycles.size(); ++b) bound_cycles[b] += op.bound_cycles[b];
}

std::string_view Phase::bound() const {
  return kBoundNames[static_cast<std::size_t>(std::ranges::max_element(bound_cycles) - bound_cycles.begin())];
}

std::string CycleEstimate::kind_of(const compiler::Op& op) const {
  std::string kind = kind_of_stream(plan_.program, op);
  if (kind.empty()) return kind;
  for (const StreamCall& call : stream_calls(plan_.program, op))
    if (!is_streamed(call) || call.kernel == "gradient_norm") kind += " " + kernels_.kind_of(call);
  return kind;
}

CycleEstimate::Known CycleEstimate::known(const compiler::Op& op) {
  const std::string kind = kind_of(op);
  if (kind.empty()) return fresh(op);
  auto at = known_.find(kind);
  if (at == known_.end()) at = known_.emplace(kind, fresh(op)).first;
  Known known = at->second;
  known.phase.name = of_all_layers(op.name);
  return known;
}

Phase CycleEstimate::of(const compiler::Op& op) { return known(op).phase; }

Phase CycleEstimate::next(const compiler::Op& op) {
  Known it = known(op);
  Phase& phase = it.phase;
  const auto cycles = static_cast<double>(phase.cycles), rest = static_cast<double>(phase.rest);
  const auto less = static_cast<std::uint64_t>(prefetch_.next_op(it.messages, it.room, cycles, rest, it.fed));
  phase.rest += phase.cycles - less;
  for (std::uint64_t& of_bound : phase.bound_cycles)
    if (of_bound > 0) of_bound = less;
  phase.cycles = less;
  return phase;
}

CycleEstimate::Known CycleEstimate::fresh(const compiler::Op& op) {
  const machine::WaferShape& wafer = plan_.wafer;
  const int tokens = plan_.tokens_per_column;
  const OpTraffic traffic(op, wafer);
  const std::vector<StreamCall> calls = stream_calls(plan_.program, op);
  Phase phase{.name = of_all_layers(op.name), .ops = 1, .sent = traffic.messages()};
  if (op.descriptor.values == compiler::StreamDescriptor::Values::Weights) {
    const int literals = op.descriptor.residual ? op.descriptor.outputs->features() : 0;
    phase.weights = phase.sent - traffic.commands - static_cast<std::uint64_t>(literals);
  }

  double busy = 0, busy_beside = 0;  // the latter without the valve
  Bound bound = Bound::MultiplyAdds;
  const auto at_least = [&](double cycles, Bound by) {
    if (cycles > busy) busy = cycles, bound = by;
    if (by != Bound::Valve) busy_beside = std::max(busy_beside, cycles);
  };
  const auto messages = static_cast<double>(traffic.fullest_valve(wafer));
  at_least(messages, Bound::Valve);
  for (const std::uint32_t words : op.returned) {
    phase.returned += words;
    at_least(words, Bound::Outlet);
  }
  double cycles = 0, streamed = 0;
  std::uint64_t reads = 0, fetches = 0;
  for (const StreamCall& call : calls) {
    if (!is_streamed(call)) {
      const KernelCost cost = kernels_.of(call);
      phase.beats += cost.beats;
      reads += cost.reads, fetches += cost.fetches;
      cycles += cost.cycles + kCall + call.commands;
      continue;
    }
    streamed += stream_cycles(call, wafer, tokens, sample_);
    std::uint64_t most = 0;
    for (int r = 0; r < wafer.rows; ++r)
      most = std::max(most, stream_beats(call, wafer, tokens, r, traffic.weights[static_cast<std::size_t>(r)]));
    phase.beats += most;
    reads += most;  // each beat reads at most one operand from a half of memory
    if (wafer.rows > 1 && is_gemm_kernel(call))
      at_least(static_cast<double>(call.descriptor->outputs->features()) * tokens, Bound::Link);
  }
  cycles += streamed;
  at_least(static_cast<double>(phase.beats), Bound::MultiplyAdds);
  if (reads > phase.beats) at_least(static_cast<double>(phase.beats + fetches), Bound::Memory);
  if (!calls.empty() && !is_streamed(calls.back())) {
    const int rows = (wafer.rows + wafer.valves - 1) / wafer.valves;  // rows per valve
    cycles += kOp + kRowHop * (rows - 1) + (wafer.w_turns() ? 0 : kColumnHop * (wafer.cols - 1));
  }

  // If W turns around, everything arrives at column 0 later by this much. The estimate of a gradient already includes
  // the path of its indices.
  const double way =
      wafer.w_turns() && op.returns != compiler::Returns::Gradient ? 2 * kRouterHop * (wafer.cols - 1) : 0;
  cycles = std::max(busy, cycles) + way;
  if (cycles > kIdle * busy) bound = Bound::Latency;
  // After another op, an op begins row by row as that op ends, with its messages already in flight. The busiest
  // resource has as much to do in either case.
  const double column = kRestColumn + (wafer.w_turns() ? kRestTurn : 0);
  const int rows = std::min(wafer.rows - 1, rows_at_work(op, wafer, plan_.model.hidden));
  const double rest = std::min(cycles - busy, kRest + kRestRow * rows + column * (wafer.cols - 1));
  phase.rest = static_cast<std::uint64_t>(rest);
  phase.cycles = static_cast<std::uint64_t>(cycles) - phase.rest;
  phase.bound_cycles[static_cast<std::size_t>(bound)] = phase.cycles;

  double fed = cycles;
  const double room = Prefetch::room(traffic, wafer);
  if (bound == Bound::Valve && room > kMatters * cycles) {
    machine::WaferShape each = wafer;
    each.valves = wafer.rows;
    fed -= streamed;
    for (const StreamCall& call : calls)
      if (is_streamed(call)) fed += stream_cycles(call, each, tokens, sample_);
    fed = std::max(fed, busy_beside);
  }
  return {.phase = std::move(phase), .messages = messages, .room = room, .fed = fed};
}

std::vector<TokenId> some_tokens(const compiler::ModelShape& model) {
  std::vector<TokenId> tokens(static_cast<std::size_t>(model.micro_batch) * model.seq);
  for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<TokenId>(7 * i % model.vocab);
  return tokens;
}

std::vector<Phase> estimate_phases(const compiler::Plan& plan, Sample sample, system::Progress* progress) {
  CycleEstimate estimate(plan, sample);
  const std::uint64_t tokens = token_messages(plan);
  std::vector<Phase> phases = {{.name = "tokens", .ops = 1, .sent = tokens, .cycles = tokens}};
  phases[0].bound_cycles[static_cast<std::size_t>(Bound::Valve)] = tokens;
  std::map<std::string, std::size_t> known;
  if (progress != nullptr) progress->begin("cycles of each op", plan.ops.size());
  for (const compiler::Op& op : plan.ops) {
    const Phase one = estimate.next(op);
    if (progress != nullptr) progress->add();
    const auto [at, fresh] = known.emplace(one.name, phases.size());
    if (fresh)
      phases.push_back(one);
    else
      phases[at->second].add(one);
  }
  if (progress != nullptr) progress->clear();
  return phases;
}

std::string of_all_layers(std::string name) {
  const std::size_t at = name.starts_with("d.h.") ? 4 : name.starts_with("h.") ? 2 : std::string::npos;
  if (at == std::string::npos) return name;
  std::size_t end = at;
  while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
  return name.replace(at, end - at, "*");
}

}  // namespace weft::planning
