#include "host/planning/valves.hpp"

#include <algorithm>
#include <iterator>
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
/// A small sample that may end before the rows have drifted apart. Its result is where the full estimate begins.
constexpr Sample kRough = {.steps = 200'000, .outputs = 12};

/// Identical GEMMs or gradients of a micro-batch.
struct Streams {
  std::string kind;  ///< name of the first such op, and its kernel
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
      if (fresh) streams.push_back({op.name + " " + call.kernel, std::move(call), 0});
      streams[at->second].times += of_all_layers(op.name) == op.name ? 1 : layers;
    }
  return streams;
}

double cycles_of(const StreamCall& call, const compiler::Plan& plan, int valves, const Sample& sample) {
  machine::WaferShape wafer = plan.wafer;
  wafer.valves = valves;
  return stream_cycles(call, wafer, plan.tokens_per_column, sample);
}

/// A single layer that represents all of a model, compiled for a number of valves: the compiler interleaves outputs
/// only where the valves can supply the rows.
class Layer {
 public:
  explicit Layer(const config::Config& config)
      : one_(with_one_layer(config)), layers_(config.model.layers), mask_(some_mask(config, one_.model)) {}

  int rows() const { return one_.wafer.rows; }
  const compiler::Plan& plan() const { return plan_; }
  /// GEMMs and gradients of a micro-batch. Valid until the next call.
  const std::vector<Streams>& streams(int valves) {
    const int rows_per_valve = (rows() + valves - 1) / valves;  // plans depend on this alone
    if (rows_per_valve != rows_per_valve_) {
      streams_.clear();
      plan_ = {};  // room for the next
      one_.wafer.valves = valves;
      plan_ = compile_plan(one_, mask_);
      streams_ = streams_of(plan_, layers_);
      rows_per_valve_ = rows_per_valve;
    }
    return streams_;
  }

 private:
  config::Config one_;
  const int layers_;
  const compiler::Mask mask_;
  int rows_per_valve_ = 0;
  compiler::Plan plan_;
  std::vector<Streams> streams_;
};

/// Estimated cycles of one kind of stream by number of valves. With more valves a stream takes no longer, so that each
/// estimate bounds those for other numbers.
class ByValves {
 public:
  bool has(int valves) const { return known_.contains(valves); }
  void add(int valves, double cycles) { known_[valves] = cycles; }
  double at_least(int valves) const {
    const auto more = known_.lower_bound(valves);
    return more == known_.end() ? 0 : more->second;
  }
  double at_most(int valves) const {
    const auto more = known_.upper_bound(valves);
    return more == known_.begin() ? kAll : std::prev(more)->second;
  }

 private:
  std::map<int, double> known_;
};

/// Checks that a number of valves keeps the promised speed, as estimated with `sample`.
class Promise {
 public:
  Promise(Layer& layer, const Sample& sample)
      : layer_(layer), sample_(sample), most_((1 + kLoss) * cycles(layer.rows())) {}

  /// Estimates streams until the others cannot change the result, first those whose cycles are least known.
  bool kept(int valves) {
    if (valves == layer_.rows()) return true;
    const std::vector<Streams>& streams = layer_.streams(valves);
    for (;;) {
      double least = 0, most = 0, widest = 0;
      const Streams* next = nullptr;
      for (const Streams& stream : streams) {
        const ByValves& known = known_[stream.kind];
        const double low = stream.times * known.at_least(valves), high = stream.times * known.at_most(valves);
        least += low, most += high;
        if (known.has(valves) || high - low < widest) continue;
        widest = high - low;
        next = &stream;
      }
      if (least > most_) return false;
      if (most <= most_ || next == nullptr) return most <= most_;
      estimate(*next, valves);
    }
  }

  /// Sum of the estimates of all streams of a micro-batch.
  double cycles(int valves) {
    double sum = 0;
    for (const Streams& stream : layer_.streams(valves)) {
      if (!known_[stream.kind].has(valves)) estimate(stream, valves);
      sum += stream.times * known_[stream.kind].at_least(valves);
    }
    return sum;
  }

 private:
  void estimate(const Streams& stream, int valves) {
    known_[stream.kind].add(valves, cycles_of(stream.call, layer_.plan(), valves, sample_));
  }

  Layer& layer_;
  const Sample sample_;
  std::map<std::string, ByValves> known_;  // by Streams::kind
  const double most_;
};

int near(int valves) { return std::max(1, valves / kNear); }

/// Bisects between `few` valves, which break the promise, and `enough`, which keep it.
int fewest(Promise& promise, int few, int enough) {
  while (enough - few > near(enough)) {
    const int between = (few + enough) / 2;
    (promise.kept(between) ? enough : few) = between;
  }
  return enough;
}

/// As fewest(), from a guess in either direction, in growing steps.
int fewest_near(Promise& promise, int guess, int rows) {
  int few = guess, enough = guess;
  const bool kept = promise.kept(guess);
  for (int step = near(guess);; step *= 2) {
    if (kept) {
      enough = few;
      few = std::max(0, few - step);
      if (few == 0 || !promise.kept(few)) break;
    } else {
      few = enough;
      enough = std::min(rows, enough + step);
      if (promise.kept(enough)) break;
    }
  }
  return fewest(promise, few, enough);
}

}  // namespace

double streamed_cycles(const compiler::Plan& plan) {
  double sum = 0;
  for (const Streams& stream : streams_of(plan, 1))
    sum += stream.times * cycles_of(stream.call, plan, plan.wafer.valves, {});
  return sum;
}

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
  Promise rough(layer, kRough), whole(layer, {});
  const int enough = fewest_near(whole, fewest(rough, 0, rows), rows);
  if (explain) {
    const int other = enough > 1 ? enough - near(enough) : 2;
    choice.best.cycles = rough.cycles(enough);
    choice.next = {{other}, rough.cycles(other)};
    choice.compared = 2;
  }
  return chosen(enough);
}

}  // namespace weft::planning
