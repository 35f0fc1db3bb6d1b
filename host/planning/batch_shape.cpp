#include "host/planning/batch_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "host/config/plural.hpp"
#include "host/memoryx/fixed_point.hpp"
#include "host/planning/one_layer.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/check/misfits.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/compiler/memory/shared_attention.hpp"
#include "sw/compiler/placement/space.hpp"

namespace weft::planning {
namespace {

/// A small sample: shapes differ by more than its error.
constexpr Sample kSearchSample = {.steps = 200'000, .outputs = 12};
constexpr double kBeats = 0.9;  // part of the beats that another shape needs at least, by its tokens and products
constexpr std::string_view kMicroBatch = "train_input.micro_batch_size", kColumns = "wafer.sequence_columns";

int most_micro_batches(const config::Config& config, int groups) {
  return static_cast<int>(memoryx::kMaxContributions) / (config.model.tied ? 2 : 1) /
         groups;  // a tied embedding counts twice
}

std::vector<int> divisors(int number) {
  std::vector<int> small, large;
  for (int d = 1; std::int64_t{d} * d <= number; ++d) {
    if (number % d != 0) continue;
    small.push_back(d);
    if (d != number / d) large.push_back(number / d);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

/// Numbers of columns for a sequence: the divisors of the wafer's columns, and for each number of tokens of a column
/// the fewest columns that hold a sequence, if more sequences then lie side by side than with any divisor.
std::vector<int> column_counts(const machine::WaferShape& wafer, int sequence) {
  std::vector<int> counts = divisors(wafer.cols);
  const std::vector<int> whole = counts;
  for (int tokens = wafer.lanes; tokens <= compiler::most_sequence(wafer); tokens += wafer.lanes) {
    const int columns = (sequence + tokens - 1) / tokens;
    if (columns < 2 || columns > wafer.cols || wafer.cols % columns <= 1) continue;
    const auto fewest = std::ranges::lower_bound(whole, columns);
    if (wafer.cols / columns > wafer.cols / *fewest && !std::ranges::count(counts, columns)) counts.push_back(columns);
  }
  return counts;
}

/// Beats of a row's products of queries with keys: a layer's, of a sequence of which a column has `tokens`.
std::int64_t score_products(const compiler::ModelShape& model, machine::WaferShape wafer, int columns, int tokens) {
  wafer.sequence_columns = columns;
  const int features = model.hidden / model.heads;
  if (model.attention == "shared")
    if (const auto form = compiler::shared_attention(model, wafer, tokens)) return form->scores(columns, 1) * features;
  const int rows = compiler::rows_per_head(model.heads, features, wafer.rows, model.head_unit());
  const std::int64_t pairs = std::int64_t{columns} * tokens * (tokens / wafer.lanes);
  return pairs * ((features + rows - 1) / rows) * ((model.heads + wafer.rows - 1) / wafer.rows);
}

struct Estimated {
  BatchShape shape;
  MicroBatchCost cost;

  /// Cycles of a step on train_input.auto_num_csx wafers.
  double cycles() const { return static_cast<double>(cost.cycles) * shape.passes; }
  double beats_of_token() const { return static_cast<double>(cost.beats - cost.attention_beats) / shape.tokens; }
  double beats_of_product() const {
    return static_cast<double>(cost.attention_beats) / static_cast<double>(std::max<std::int64_t>(1, shape.products));
  }
  bool better_than(const Estimated& other) const {
    return std::tuple(cycles(), -shape.micro_batch, shape.columns) <
           std::tuple(other.cycles(), -other.shape.micro_batch, other.shape.columns);
  }
};

class Search {
 public:
  Search(const config::Config& config, const SearchOptions& options)
      : config_(config), options_(options), one_(with_one_layer(config)) {
    one_.wafer.valves = one_.wafer.rows;
    one_.wafer.psum_cycles = 2;
    one_.wafer.turns = true;
    one_.wafer.row_groups = options.groups;
    mask_ = some_mask(config, one_.model);
  }

  /// Estimates the shapes that can be the best, and returns all estimated ones, the best first.
  /// Throws Refusal if none of their programs fits.
  std::vector<Estimated> run(const std::vector<BatchShape>& shapes) {
    if (options_.progress != nullptr) options_.progress->begin("shapes of a micro-batch", 0);
    auto [fitting, others] = undominated(shapes);
    if (fitting.size() == 1 && !options_.explain) {
      found_.push_back({fitting.front(), {}});  // nothing to compare it with
    } else {
      while (!fitting.empty() && found_.size() < kMostEstimates) {
        const auto next = std::ranges::min_element(fitting, {}, [&](const BatchShape& s) { return least_cycles(s); });
        if (!found_.empty() && least_cycles(*next) >= std::ranges::min(found_, &Estimated::better_than).cycles()) break;
        const BatchShape shape = *next;
        fitting.erase(next);
        estimate(shape);
      }
      for (const BatchShape& shape : others)
        if (options_.explain && found_.size() == 1 && fits(shape)) estimate(shape);
    }
    if (options_.progress != nullptr) options_.progress->clear();
    if (found_.empty() && refusal_) throw *refusal_;
    std::ranges::sort(found_, &Estimated::better_than);
    return found_;
  }

 private:
  bool fits(const BatchShape& shape) const {
    compiler::ModelShape model = config_.model;
    machine::WaferShape wafer = config_.wafer;
    model.micro_batch = shape.micro_batch;
    wafer.sequence_columns = shape.columns;
    return compiler::misfits(model, wafer).empty();
  }

  /// The shapes that fit and that no other fitting shape dominates; and those that were not tried for this reason.
  std::pair<std::vector<BatchShape>, std::vector<BatchShape>> undominated(const std::vector<BatchShape>& shapes) const {
    std::vector<BatchShape> fitting, others;
    for (const BatchShape& shape : shapes) {
      const auto dominates = [&](const BatchShape& other) { return other.dominates(shape); };
      if (std::ranges::any_of(fitting, dominates))
        others.push_back(shape);
      else if (fits(shape))
        fitting.push_back(shape);
    }
    return {fitting, others};
  }

  /// Cycles of a step that a shape takes at least, by the shapes estimated so far; 0 if there are none.
  double least_cycles(const BatchShape& shape) const {
    if (found_.empty()) return 0;
    const double token = std::ranges::min(found_, {}, &Estimated::beats_of_token).beats_of_token(),
                 product = std::ranges::min(found_, {}, &Estimated::beats_of_product).beats_of_product();
    return kBeats * shape.passes * (token * shape.tokens + product * static_cast<double>(shape.products));
  }

  /// Does nothing if the program of the shape does not fit.
  void estimate(const BatchShape& shape) {
    compiler::ModelShape all = config_.model;
    all.micro_batch = one_.model.micro_batch = shape.micro_batch;
    one_.wafer.sequence_columns = shape.columns;
    try {
      const compiler::Plan plan = compiler::compile(one_.model, wafer_of_one_layer(all, one_.wafer), mask_);
      found_.push_back({shape, cost_of_layers(plan, config_.model.layers, kSearchSample)});
    } catch (const Refusal& refusal) {
      refusal_ = refusal;
    }
    if (options_.progress != nullptr) options_.progress->add();
  }

  const config::Config& config_;
  const SearchOptions options_;
  config::Config one_;
  compiler::Mask mask_;
  std::vector<Estimated> found_;
  std::optional<Refusal> refusal_;  // of the last shape whose program does not fit
};

/// A note if a step leaves more than a tenth of the run's wafers idle on average; otherwise empty.
std::string idle_wafers(const config::Config& config) {
  constexpr double kIdle = 0.1;
  const int wafers = config.runconfig.num_csx, micro_batches = config.micro_batches();
  const int passes = passes_on(wafers, config, config.model.micro_batch);
  if (wafers == config.train_input.auto_num_csx || wafers == 1 ||
      micro_batches >= (1 - kIdle) * static_cast<double>(passes) * wafers)
    return "";
  return fmt::format(
      "{}: auto, for train_input.auto_num_csx {}: {} micro-batches keep {:.0f} % of {} wafers busy. "
      "HINT: a new run can have train_input.auto_num_csx {}",
      kMicroBatch, config.train_input.auto_num_csx, micro_batches,
      100.0 * micro_batches / (static_cast<double>(passes) * wafers), wafers, wafers);
}

ChosenBatchShape search_batch_shape(const config::Config& config, const SearchOptions& options) {
  const std::vector<Estimated> found = Search(config, options).run(batch_shapes(config, options.groups));
  if (found.empty())
    throw config.error(
        kMicroBatch,
        fmt::format("auto, but no divisor of train_input.batch_size {} that makes at most {} micro-batches "
                    "fits the wafer",
                    config.train_input.batch_size * options.groups, most_micro_batches(config, options.groups)),
        "use a smaller train_input.batch_size");
  const bool estimated = found.front().cost.cycles > 0;  // otherwise nothing had to be compared
  const int wafers = config.train_input.auto_num_csx;
  Choice choice{.measure = "of a step on " + config::plural(wafers, "wafer"), .compared = estimated ? found.size() : 0};
  const auto alternative = [&](const Estimated& one) {
    Alternative other{.cycles = one.cycles()};
    if (config.model.micro_batch == 0) other.values.push_back(one.shape.micro_batch);
    if (config.wafer.sequence_columns == 0) other.values.push_back(one.shape.columns);
    return other;
  };
  if (config.model.micro_batch == 0) choice.keys.push_back(kMicroBatch);
  if (config.wafer.sequence_columns == 0) choice.keys.push_back(kColumns);
  choice.best = alternative(found.front());
  if (found.size() > 1) choice.next = alternative(found[1]);
  return {found.front().shape.micro_batch, found.front().shape.columns, std::move(choice)};
}

/// Sets the keys that are auto.
Choice apply(config::Config& config, const ChosenBatchShape& chosen) {
  Choice choice = chosen.choice;
  if (config.model.micro_batch == 0) {
    config.model.micro_batch = chosen.micro_batch;
    choice.note = idle_wafers(config);
  }
  config.wafer.sequence_columns = chosen.columns;
  return choice;
}

}  // namespace

int passes_on(int wafers, const config::Config& config, int micro_batch) {
  return (config.train_input.batch_size / micro_batch + wafers - 1) / wafers;
}

std::vector<BatchShape> batch_shapes(const config::Config& config, int groups) {
  const compiler::ModelShape& model = config.model;
  const machine::WaferShape& wafer = config.wafer;
  const int batch = config.train_input.batch_size;
  const int most = most_micro_batches(config, groups);
  std::vector<BatchShape> shapes;
  for (const int micro_batch : model.micro_batch > 0 ? std::vector{model.micro_batch} : divisors(batch)) {
    if (micro_batch > 65535 || (model.micro_batch == 0 && batch / micro_batch > most)) continue;
    for (const int columns :
         wafer.sequence_columns > 0 ? std::vector{wafer.sequence_columns} : column_counts(wafer, model.seq)) {
      const int side_by_side = wafer.cols / columns, sequences = (micro_batch + side_by_side - 1) / side_by_side;
      const int of_one = ((model.seq + columns - 1) / columns + wafer.lanes - 1) / wafer.lanes * wafer.lanes;
      if (of_one > compiler::most_sequence(wafer) || std::int64_t{sequences} * of_one > compiler::most_tokens(wafer))
        continue;
      shapes.push_back({micro_batch, columns, sequences * of_one,
                        passes_on(config.train_input.auto_num_csx, config, micro_batch),
                        sequences * score_products(model, wafer, columns, of_one)});
    }
  }
  const auto order = [](const BatchShape& a, const BatchShape& b) {
    return std::tuple(std::int64_t{a.tokens} * a.passes, b.micro_batch, a.columns) <
           std::tuple(std::int64_t{b.tokens} * b.passes, a.micro_batch, b.columns);
  };
  std::ranges::sort(shapes, order);
  return shapes;
}

std::optional<Choice> choose_batch_shape(config::Config& config, const SearchOptions& options) {
  if (config.wafer.sequence_columns == 0 && config.any_wafer(&config::BackendKind::board))
    config.wafer.sequence_columns = 1;  // as a run asks its board
  if (config.model.micro_batch > 0 && config.wafer.sequence_columns > 0) return std::nullopt;
  if (options.chosen != nullptr) {
    auto known = options.chosen->find(options.groups);
    if (known == options.chosen->end())
      known = options.chosen->emplace(options.groups, search_batch_shape(config, options)).first;
    return apply(config, known->second);
  }
  return apply(config, search_batch_shape(config, options));
}

}  // namespace weft::planning
