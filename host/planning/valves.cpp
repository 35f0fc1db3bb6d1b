#include "host/planning/valves.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "host/planning/compile_plan.hpp"
#include "host/planning/estimate/stream.hpp"
#include "host/planning/one_layer.hpp"
#include "host/planning/phases.hpp"

namespace weft::planning {
namespace {

constexpr double kLoss = 0.01;
constexpr double kAll = std::numeric_limits<double>::infinity();
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

/// Sum of the cycles. Stops early with a partial sum above `most`.
double cycles_of(const std::vector<Streams>& streams, const compiler::Plan& plan, int valves, const Sample& sample = {},
                 double most = kAll) {
  machine::WaferShape wafer = plan.wafer;
  wafer.valves = valves;
  double sum = 0;
  for (const auto& [call, times] : streams) {
    sum += times * stream_cycles(call, wafer, plan.tokens_per_column, sample);
    if (sum > most) break;
  }
  return sum;
}

/// GEMMs and gradients of a micro-batch, with one layer that represents all. Compiled for the number of valves in
/// question, as the compiler interleaves outputs only where the valves can supply the rows.
class Layer {
 public:
  explicit Layer(const config::Config& config)
      : one_(with_one_layer(config)), layers_(config.model.layers), mask_(some_mask(config, one_.model)) {}

  int rows() const { return one_.wafer.rows; }
  double cycles(int valves, const Sample& sample, double most = kAll) {
    const int rows_per_valve = (rows() + valves - 1) / valves;  // plans depend on this alone
    if (rows_per_valve != rows_per_valve_) {
      streams_.clear();
      plan_ = {};  // room for the next
      one_.wafer.valves = valves;
      plan_ = compile_plan(one_, mask_);
      streams_ = streams_of(plan_, layers_);
      rows_per_valve_ = rows_per_valve;
    }
    return cycles_of(streams_, plan_, valves, sample, most);
  }

 private:
  config::Config one_;
  const int layers_;
  const compiler::Mask mask_;
  int rows_per_valve_ = 0;
  compiler::Plan plan_;
  std::vector<Streams> streams_;
};

/// Checks that a number of valves keeps the promised speed, as estimated with `sample`.
class Promise {
 public:
  Promise(Layer& layer, const Sample& sample)
      : layer_(layer), sample_(sample), most_((1 + kLoss) * layer.cycles(layer.rows(), sample)) {}

  bool kept(int valves) const { return valves == layer_.rows() || layer_.cycles(valves, sample_, most_) <= most_; }

 private:
  Layer& layer_;
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

double streamed_cycles(const compiler::Plan& plan) { return cycles_of(streams_of(plan, 1), plan, plan.wafer.valves); }

std::optional<Choice> choose_valves(config::Config& config, bool explain) {
  if (config.wafer.valves > 0) return std::nullopt;
  Choice choice{.keys = {"wafer.valves"}, .measure = "in GEMMs and gradients of a micro-batch"};
  const int rows = config.wafer.rows;
  const auto chosen = [&](int valves) {
    config.wafer.valves = valves;
    choice.best.values = {valves};
    return choice;
  };
  if (config.any_wafer(&config::BackendKind::board) || rows == 1) return chosen(1);
  Layer layer(config);
  const Promise whole(layer, {}), rough(layer, kRough);
  int few = 0, enough = fewest(rough, 0, rows);
  for (int step = near(enough); !whole.kept(enough); step *= 2) {
    few = enough;
    enough = std::min(enough + step, rows);
  }
  if (few > 0) enough = fewest(whole, few, enough);
  if (explain) {
    const int other = enough > 1 ? enough - near(enough) : 2;
    choice.best.cycles = layer.cycles(enough, {});
    choice.next = {{other}, layer.cycles(other, {})};
    choice.compared = 2;
  }
  return chosen(enough);
}

}  // namespace weft::planning
