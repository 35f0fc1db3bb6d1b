#include "host/appliance/modes/phases.hpp"

#include <algorithm>
#include <cctype>

#include "host/appliance/estimate/loss.hpp"
#include "host/appliance/estimate/stream.hpp"
#include "sw/compiler/space.hpp"

namespace weft {
namespace {

constexpr double kSumLatency = 6, kResultLatency = 8, kCall = 90, kOutput = 6;
constexpr double kBetweenSums = 7;  // of an output on the ring, and those of the next
constexpr double kRouter = 3;       // of W's way

/// What an op sends, by where it goes.
struct Traffic {
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

/// Sums go round the ring: not those of a gradient, nor of a LayerNorm's scale and shift.
bool is_gemm(const Op& op) { return op.returns == Returns::Nothing && op.name.find(".affine") == std::string::npos; }
bool is_attention(const std::string& name) { return name.ends_with(".attn"); }

/// What attention waits for besides its beats (docs/kernels.md): all heads and sequences of the fullest row.
double attention_waits(const Plan& plan, bool back, std::uint64_t calls) {
  constexpr double kKernels = 2, kBackKernels = 6, kHop = 28, kLoop = 14;
  const ModelShape& m = plan.model;
  const int lanes = plan.wafer.lanes, sequence = plan.padded_seq / lanes;
  const double matrix = lanes * sequence * (sequence + 1) / 2.0;
  // A row of n beats takes `least` cycles, where it does `passes` of them.
  const auto short_rows = [&](int least, int passes) {
    int waits = 0;
    for (int n = 1; n <= sequence; ++n) waits += std::max(0, least - passes * n);
    return static_cast<double>(lanes * waits);
  };
  double waits = matrix * (std::min(lanes, 8) / 2 - 1) + 2 * short_rows(7, 1);            // exp; maxima and sums
  if (back) waits += 2 * lanes * matrix + matrix + short_rows(8, 2) + short_rows(11, 2);  // D, two cycles a beat; dS
  // Loops over features and over rows, whose scalar instructions take longer than few beats.
  const double features =
      static_cast<double>(m.hidden) / m.heads / rows_per_head(m.heads, m.hidden / m.heads, plan.wafer.rows);
  for (int n = 1; n <= sequence; ++n) {
    waits += features * std::max(0.0, kLoop - lanes * n) + (back ? 3 : 1) * lanes * std::max(0.0, kLoop - features * n);
  }
  const int group = rows_per_head(m.heads, m.hidden / m.heads, plan.wafer.rows);
  if (group > 1) waits += (back ? 2 : 1) * (matrix * lanes + kHop * sequence * group);  // all-reduce
  const auto kernels = static_cast<double>(calls);
  return waits * kernels / (back ? kBackKernels : kKernels) + kernels * (35 + 2 * sequence);
}

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
  const double lanes = wafer.lanes, vector = plan_.tokens_per_column / lanes;
  const Traffic traffic(messages, wafer);
  const std::vector<std::uint64_t> before = model_.row_beats();
  model_.feed(messages);
  model_.settle();
  const std::vector<std::uint64_t> after = model_.row_beats();

  Phase phase{.name = of_all_layers(op.name), .ops = 1, .sent = messages.size()};
  double cycles = 0;
  Bound bound = Bound::MultiplyAdds;
  const auto at_least = [&](double least, Bound by) {
    if (least > cycles) cycles = least, bound = by;
  };
  // Where W turns around, column 0 has everything so much later; a gradient's indices are estimated with their way.
  const auto takes = [&](double all) {
    const double way = wafer.w_turns() && op.returns != Returns::Gradient ? 2 * kRouter * (wafer.cols - 1) : 0;
    phase.cycles = static_cast<std::uint64_t>(all + way);
  };
  at_least(static_cast<double>(traffic.fullest_valve(wafer)), Bound::Valve);
  for (const std::uint32_t words : op.returned) {
    phase.returned += words;
    at_least(words, Bound::Outlet);
  }
  if (wafer.rows > 1 && is_gemm(op))
    at_least(static_cast<double>(traffic.outputs) * (plan_.tokens_per_column + kBetweenSums), Bound::Link);
  const std::vector<StreamCall> calls = stream_calls(plan_.program, wafer, messages);
  if (calls.size() == 1 && is_streamed(calls[0])) {
    takes(stream_cycles(calls[0], wafer, plan_.tokens_per_column, model_.sram(0, 0)));
    for (int r = 0; r < wafer.rows; ++r) at_least(static_cast<double>(after[r] - before[r]), Bound::MultiplyAdds);
    if (static_cast<double>(phase.cycles) > 1.25 * cycles) bound = Bound::Latency;
    phase.bound_cycles[static_cast<std::size_t>(bound)] = phase.cycles;
    return phase;
  }
  if (op.returns == Returns::Loss) {
    const int features = (plan_.model.vocab + wafer.rows - 1) / wafer.rows;
    takes(loss_cycles(wafer, plan_.tokens_per_column, features));
    const std::uint64_t words = *std::ranges::max_element(op.returned);
    phase.returned = words;
    bound = static_cast<double>(words) > 0.5 * static_cast<double>(phase.cycles) ? Bound::Outlet : Bound::Latency;
    phase.bound_cycles[static_cast<std::size_t>(bound)] = phase.cycles;
    return phase;
  }
  const bool gradient = op.returns == Returns::Gradient;  // sums of 16 weights at a time: none waits for another
  for (int r = 0; r < wafer.rows; ++r) {
    const auto beats = static_cast<double>(after[r] - before[r]);
    double row = beats;
    if (is_attention(op.name)) {
      row += attention_waits(plan_, op.name.starts_with("d."), traffic.calls);
    } else if (traffic.outputs == 0) {
      row *= std::max(1.0, kResultLatency / vector);
    } else if (!gradient) {
      row += static_cast<double>(traffic.weights[r]) * std::max(0.0, kSumLatency - vector);
    }
    at_least(beats, Bound::MultiplyAdds);
    at_least(row, Bound::Latency);
  }
  const double besides = kCall * static_cast<double>(traffic.calls) + kOutput * static_cast<double>(traffic.outputs);
  if (besides > cycles) bound = Bound::Latency;
  cycles += besides;
  takes(cycles);
  phase.bound_cycles[static_cast<std::size_t>(bound)] = phase.cycles;
  return phase;
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
