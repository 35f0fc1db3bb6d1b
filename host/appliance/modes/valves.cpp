#include "host/appliance/modes/valves.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "host/appliance/compile_plan.hpp"
#include "host/appliance/estimate/stream.hpp"
#include "host/config/params_filter.hpp"
#include "host/memoryx/pruning.hpp"
#include "sw/compiler/tensors.hpp"

namespace weft {
namespace {

constexpr double kLoss = 0.01;
constexpr int kNear = 20;  // of many valves a twentieth more is near enough
constexpr Sample kRough = {.steps = 200'000, .outputs = 12, .columns = 2};  // it is asked several times

/// GEMMs and gradients of a micro-batch that are alike.
struct Streams {
  StreamCall call;
  int times = 0;
};

std::vector<Streams> streams_of(const Plan& plan) {
  std::vector<Streams> streams;
  std::map<std::string, std::size_t> known;
  for (const Op& op : plan.ops)
    for (StreamCall& call : stream_calls(plan.program, op)) {
      if (!is_streamed(call)) continue;
      const std::string kind = kind_of_stream(plan.program, op);
      const auto [at, fresh] = known.emplace(kind.empty() ? op.name : kind, streams.size());
      if (fresh) streams.push_back({std::move(call), 0});
      ++streams[at->second].times;
    }
  return streams;
}

/// Of a model of one layer, which has the first of `config`'s: as many weights as its masks leave, any of them.
Mask some_mask(const Config& config, const ModelShape& one_layer) {
  Mask mask;
  if (config.sparsity.sparsity == 0) return mask;
  std::set<std::string> there;
  for (const TensorInfo& tensor : model_tensors(one_layer)) there.insert(tensor.name);
  for (const TensorInfo& tensor : sparse_tensors(config))
    if (there.contains(tensor.name))
      mask[tensor.name] = random_mask(tensor.name, tensor.size, config.sparsity.sparsity, 1);
  return mask;
}

/// Or some more than `most`.
double cycles_of(const std::vector<Streams>& streams, const Plan& plan, int valves,
                 double most = std::numeric_limits<double>::infinity()) {
  WaferShape wafer = plan.wafer;
  wafer.valves = valves;
  double sum = 0;
  for (const auto& [call, times] : streams) {
    sum += times * stream_cycles(call, wafer, plan.tokens_per_column, kRough);
    if (sum > most) break;
  }
  return sum;
}

}  // namespace

double streamed_cycles(const Plan& plan, int valves) { return cycles_of(streams_of(plan), plan, valves); }

void choose_valves(Config& config) {
  if (config.wafer.valves > 0) return;
  config.wafer.valves = 1;
  if (config.any_wafer(&BackendKind::board) || config.wafer.rows == 1) return;
  Config one = config;
  one.model.layers = 1;
  const Plan plan = compile_plan(one, some_mask(config, one.model));
  const std::vector<Streams> streams = streams_of(plan);
  const double most = (1 + kLoss) * cycles_of(streams, plan, config.wafer.rows);
  int few = 0, enough = config.wafer.rows;
  while (enough - few > std::max(1, enough / kNear)) {
    const int between = (few + enough) / 2;
    (cycles_of(streams, plan, between, most) <= most ? enough : few) = between;
  }
  config.wafer.valves = enough;
}

}  // namespace weft
