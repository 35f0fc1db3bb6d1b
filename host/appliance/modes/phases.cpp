#include "host/appliance/modes/phases.hpp"

#include <algorithm>
#include <cctype>

#include "host/appliance/estimate/all_reduce.hpp"
#include "host/appliance/estimate/attention.hpp"
#include "host/appliance/estimate/loss.hpp"
#include "host/appliance/estimate/stream.hpp"
#include "host/appliance/estimate/table.hpp"

namespace weft {
namespace {

constexpr double kSumLatency = 6, kResultLatency = 8, kCall = 90, kOutput = 6;
constexpr double kIdle = 1.5;  // cycles an op takes to those of what is busy longest, above which latency bounds it
constexpr double kRouter = 3;  // of W's way

}  // namespace

/// What an op sends, by where it goes.
struct CycleEstimate::Traffic {
  std::vector<std::uint64_t> weights;  ///< [row]
  std::uint64_t commands = 0, calls = 0, outputs = 0;

  Traffic(std::span<const Message> messages, const WaferShape& wafer) : weights(wafer.rows) {
    const std::uint32_t call = Message::command(Command::Call, 0, 0).data >> 24;
    const std::uint32_t output = Message::command(Command::CR, 0, 0).data >> 24;
    for (const Message& message : messages) {
      if (!message.ctrl) {
        ++weights[message.data >> 16 >> wafer.row_shift()];
        continue;
      }
      ++commands;
      calls += message.data >> 24 == call;
      outputs += message.data >> 24 == output;
    }
  }

  std::uint64_t fullest_valve(const WaferShape& wafer) const {
    std::uint64_t most = 0;
    for (int v = 0; v < wafer.valves; ++v) {
      std::uint64_t own = 0;
      for (int r = v * wafer.rows / wafer.valves; r < (v + 1) * wafer.rows / wafer.valves; ++r) own += weights[r];
      most = std::max(most, own);
    }
    return most + commands;
  }
};

namespace {

/// Sums go round the ring: not those of a gradient, nor of a LayerNorm's scale and shift.
bool is_gemm(const Op& op) { return op.returns == Returns::Nothing && op.name.find(".affine") == std::string::npos; }
bool is_attention(const std::string& name) { return name.ends_with(".attn"); }

}  // namespace

void Phase::add(const Phase& op) {
  ops += op.ops;
  sent += op.sent;
  returned += op.returned;
  cycles += op.cycles;
  for (std::size_t b = 0; b < bound_cycles.size(); ++b) bound_cycles[b] += op.bound_cycles[b];
}

std::string_view Phase::bound() const {
  return kBoundNames[static_cast<std::size_t>(std::ranges::max_element(bound_cycles) - bound_cycles.begin())];
}

Phase CycleEstimate::run(const Op& op, std::span<const Message> messages) {
  const WaferShape& wafer = plan_.wafer;
  const Traffic traffic(messages, wafer);
  const std::vector<std::uint64_t> before = model_.row_beats();
  model_.feed(messages);
  model_.settle();
  std::vector<std::uint64_t> beats = model_.row_beats();
  for (std::size_t r = 0; r < beats.size(); ++r) beats[r] -= before[r];

  Phase phase{.name = of_all_layers(op.name), .ops = 1, .sent = messages.size()};
  double busy = 0;
  Bound bound = Bound::MultiplyAdds;
  const auto at_least = [&](double cycles, Bound by) {
    if (cycles > busy) busy = cycles, bound = by;
  };
  at_least(static_cast<double>(traffic.fullest_valve(wafer)), Bound::Valve);
  for (const std::uint32_t words : op.returned) {
    phase.returned += words;
    at_least(words, Bound::Outlet);
  }
  if (wafer.rows > 1 && is_gemm(op))
    at_least(static_cast<double>(traffic.outputs) * plan_.tokens_per_column, Bound::Link);
  at_least(static_cast<double>(*std::ranges::max_element(beats)), Bound::MultiplyAdds);

  // Where W turns around, column 0 has everything so much later; a gradient's indices are estimated with their way.
  const double way = wafer.w_turns() && op.returns != Returns::Gradient ? 2 * kRouter * (wafer.cols - 1) : 0;
  const double cycles = std::max(busy, cycles_of(op, messages, traffic, beats)) + way;
  if (cycles > kIdle * busy) bound = Bound::Latency;
  phase.cycles = static_cast<std::uint64_t>(cycles);
  phase.bound_cycles[static_cast<std::size_t>(bound)] = phase.cycles;
  return phase;
}

double CycleEstimate::cycles_of(const Op& op, std::span<const Message> messages, const Traffic& traffic,
                                const std::vector<std::uint64_t>& beats) const {
  const WaferShape& wafer = plan_.wafer;
  const int tokens = plan_.tokens_per_column;
  if (op.returns == Returns::Loss) return loss_cycles(wafer, tokens, (plan_.model.vocab + wafer.rows - 1) / wafer.rows);
  const std::vector<StreamCall> calls = stream_calls(plan_.program, wafer, messages);
  double cycles = 0;
  if (!calls.empty() && std::ranges::all_of(calls, is_streamed)) {
    for (const StreamCall& call : calls) cycles += stream_cycles(call, wafer, tokens, model_.sram(0, 0));
    return cycles;
  }
  const double vector = static_cast<double>(tokens) / wafer.lanes;
  const bool gelu = calls.size() == 1 && calls[0].kernel.starts_with("gelu");
  // What is treated together, of GELU most or all features of a row, waits for the result of the instruction before.
  const double features = gelu ? std::max(1, plan_.model.filter / wafer.rows) : 1;
  for (std::size_t r = 0; r < beats.size(); ++r) {
    auto row = static_cast<double>(beats[r]);
    if (is_attention(op.name)) {
      row += attention_waits(plan_, op.name.starts_with("d."), static_cast<int>(traffic.calls));
    } else if (traffic.outputs == 0) {
      row *= std::max(1.0, kResultLatency / (features * vector));
      if (gelu) row += features * vector * (table_cycles(wafer) - 1);
    } else {
      row += static_cast<double>(traffic.weights[r]) * std::max(0.0, kSumLatency - vector);
    }
    cycles = std::max(cycles, row);
  }
  if (calls.size() == 1 && calls[0].kernel == "layernorm") cycles += 2 * all_reduce_cycles(wafer, tokens);
  if (calls.size() == 1 && calls[0].kernel == "layernorm_back") cycles += all_reduce_cycles(wafer, 2 * tokens);
  return cycles + kCall * static_cast<double>(traffic.calls) + kOutput * static_cast<double>(traffic.outputs);
}

std::vector<std::uint16_t> some_tokens(const ModelShape& model) {
  std::vector<std::uint16_t> tokens(static_cast<std::size_t>(model.micro_batch) * model.seq);
  for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<std::uint16_t>(7 * i % model.vocab);
  return tokens;
}

std::vector<Phase> estimate_phases(const Plan& plan, std::span<const float> parameters) {
  const auto model = make_model_wafer(plan.wafer);
  const std::vector<std::uint16_t> ids = some_tokens(plan.model);
  const std::vector<Message> tokens = plan.tokens(ids, ids);
  model->feed(plan.load);
  model->feed(tokens);
  CycleEstimate estimate(plan, *model);
  std::vector<Phase> phases = {{.name = "tokens", .ops = 1, .sent = tokens.size(), .cycles = tokens.size()}};
  phases[0].bound_cycles[static_cast<std::size_t>(Bound::Valve)] = tokens.size();
  std::vector<Message> messages;
  for (const Op& op : plan.ops) {
    expand(op, parameters, messages);
    const Phase one = estimate.run(op, messages);
    const auto same = std::ranges::find(phases, one.name, &Phase::name);
    if (same == phases.end()) {
      phases.push_back(one);
    } else {
      same->add(one);
    }
  }
  return phases;
}

std::string of_all_layers(std::string name) {
  const std::size_t at = name.starts_with("d.h.") ? 4 : name.starts_with("h.") ? 2 : std::string::npos;
  if (at == std::string::npos) return name;
  std::size_t end = at;
  while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
  return name.replace(at, end - at, "*");
}

}  // namespace weft
