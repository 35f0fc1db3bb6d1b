#include "host/planning/valves.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "host/config/keys/params_filter.hpp"
#include "host/memoryx/pruning.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/planning/estimate/stream.hpp"
#include "host/planning/phases.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::planning {
namespace {

constexpr double kLoss = 0.01;
constexpr int kNear = 20;  // for many valves, a result within a twentieth is close enough
/// A small sample that may end before the rows have drifted apart. The result is verified with the full estimate.
constexpr Sample kRough = {.steps = 200'000, .outputs = 12};

/// Identical GEMMs or gradients of a micro-batch.
struct Streams {
  StreamCall call;
  int times = 0;
};

/// `layers`: number of layers that `plan`'s single layer represents.
std::vector<Streams> streams_of(const compiler::Plan& plan, int layers) {
  std::vector<Streams> streams;
  std::map<std::string, std::size_t> known;
  for (const compiler::Op& op : plan.ops)
    for (StreamCall& call : stream_calls(plan.program, op)) {
      if (!is_streamed(call)) continue;
      const std::string kind = kind_of_stream(plan.program, op);
      const auto [at, fresh] = known.emplace(kind.empty() ? op.name : kind, streams.size());
      if (fresh) streams.push_back({std::move(call), 0});
      streams[at->second].times += of_all_layers(op.name) == op.name ? 1 : layers;
    }
  return streams;
}

/// Random mask with the configured sparsity for a model of one layer, the first of `config`'s.
compiler::Mask some_mask(const config::Config& config, const compiler::ModelShape& one_layer) {
  compiler::Mask mask;
  if (config.sparsity.sparsity == 0) return mask;
  std::set<std::string> there;
  for (const compiler::TensorInfo& tensor : compiler::model_tensors(one_layer)) there.insert(tensor.name);
  for (const compiler::TensorInfo& tensor : config::sparse_tensors(config))
    if (there.contains(tensor.name))
      mask[tensor.name] = memoryx::random_mask(tensor.name, tensor.size, config.sparsity.sparsity, 1);
  return mask;
}

/// Sum of the cycles. Stops early with a partial sum above `most`.
double cycles_of(const std::vector<Streams>& streams, const compiler::Plan& plan, int valves, const Sample& sample = {},
                 double most = std::numeric_limits<double>::infinity()) {
  machine::WaferShape wafer = plan.wafer;
  wafer.valves = valves;
  double sum = 0;
  for (const auto& [call, times] : streams) {
    sum += times * stream_cycles(call, wafer, plan.tokens_per_column, sample);
    if (sum > most) break;
  }
  return sum;
}

/// Checks that a number of valves keeps the promised speed, as estimated with `sample`.
class Promise {
 public:
  Promise(const std::vector<Streams>& streams, const compiler::Plan& plan, const Sample& sample)
      : streams_(streams),
        plan_(plan),
        sample_(sample),
        most_((1 + kLoss) * cycles_of(streams, plan, plan.wafer.rows, sample)) {}

  bool kept(int valves) const {
    return valves == plan_.wafer.rows || cycles_of(streams_, plan_, valves, sample_, most_) <= most_;
  }

 private:
  const std::vector<Streams>& streams_;
  const compiler::Plan& plan_;
  const Sample sample_;
  const double most_;
};

int near(int valves) { return std::max(1, valves / kNear); }

/// Bisects between `few` valves, which break the promise, and `enough`, which keep it.
int fewest(const Promise& promise, int few, int enough) {
  while (enough - few > near(enough)) {
    const int between = (few + enough) / 2;
    (promise.kept(between) ? enough : few) = between;
  }
  return enough;
}

}  // namespace

double streamed_cycles(const compiler::Plan& plan, int valves) { return cycles_of(streams_of(plan, 1), plan, valves); }

void choose_valves(config::Config& config) {
  if (config.wafer.valves > 0) return;
  config.wafer.valves = 1;
  const int rows = config.wafer.rows;
  if (config.any_wafer(&config::BackendKind::board) || rows == 1) return;
  config::Config one = config;
  one.model.layers = 1;
  const compiler::Plan plan = compile_plan(one, some_mask(config, one.model));
  const std::vector<Streams> streams = streams_of(plan, config.model.layers);
  int few = 0, enough = fewest(Promise(streams, plan, kRough), 0, rows);
  const Promise whole(streams, plan, {});
  for (int step = near(enough); !whole.kept(enough); step *= 2) {
    few = enough;
    enough = std::min(enough + step, rows);
  }
  config.wafer.valves = few == 0 ? enough : fewest(whole, few, enough);
}

}  // namespace weft::planning
