#include "host/appliance/modes/valves.hpp"

#include <limits>
#include <utility>

#include "host/appliance/compile_plan.hpp"
#include "host/appliance/estimate/stream.hpp"
#include "verif/wafer.hpp"

namespace weft {
namespace {

constexpr double kLoss = 0.01;

struct Streams {
  std::vector<StreamCall> calls;
  std::vector<std::uint16_t> memory;
};

Streams streams_of(const Plan& plan) {
  const auto model = make_model_wafer(plan.wafer);
  model->feed(plan.load);
  model->settle();
  Streams streams{.calls = {}, .memory = model->sram(0, 0)};
  const std::vector<float> parameters(plan.parameters);
  std::vector<Message> messages;
  for (const Op& op : plan.ops) {
    expand(op, parameters, messages);
    for (StreamCall& call : stream_calls(plan.program, plan.wafer, messages))
      if (is_streamed(call)) streams.calls.push_back(std::move(call));
  }
  return streams;
}

/// Or some more than `most`.
double cycles_of(const Streams& streams, const Plan& plan, int valves,
                 double most = std::numeric_limits<double>::infinity()) {
  WaferShape wafer = plan.wafer;
  wafer.valves = valves;
  double sum = 0;
  for (const StreamCall& call : streams.calls) {
    sum += stream_cycles(call, wafer, plan.tokens_per_column, streams.memory);
    if (sum > most) break;
  }
  return sum;
}

}  // namespace

double streamed_cycles(const Plan& plan, int valves) { return cycles_of(streams_of(plan), plan, valves); }

void choose_valves(Config& config) {
  if (config.wafer.valves > 0) return;
  config.wafer.valves = 1;
  if (config.runs_on("fpga") || config.wafer.rows == 1) return;
  Config one = config;
  one.model.layers = 1;
  const Plan plan = compile_plan(one, {});
  const Streams streams = streams_of(plan);
  const double most = (1 + kLoss) * cycles_of(streams, plan, config.wafer.rows);
  int few = 0, enough = config.wafer.rows;
  while (enough - few > 1) {
    const int between = (few + enough) / 2;
    (cycles_of(streams, plan, between, most) <= most ? enough : few) = between;
  }
  config.wafer.valves = enough;
}

}  // namespace weft
