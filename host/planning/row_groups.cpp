#include "host/planning/row_groups.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "host/config/plural.hpp"
#include "host/planning/one_layer.hpp"
#include "host/planning/valves.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::planning {
namespace {

constexpr Sample kGroupSample = {.steps = 200'000, .outputs = 12};  // as choose_batch_shape()'s

/// The configuration of one of `groups` groups. Its batch has a group's part of the sequences, so that each number of
/// sequences of a group that divides the part makes whole micro-batches of all groups.
config::Config search_config(config::Config config, int groups) {
  config.row_groups = groups;
  config::Config one = config.one_group();
  one.train_input.batch_size /= groups;
  return one;
}

/// Estimated cycles of a step on train_input.auto_num_csx wafers of `groups` groups like `one`, whose settings are
/// resolved.
double cycles_of_step(const config::Config& one, int groups) {
  config::Config layer = with_one_layer(one);
  layer.wafer.valves = layer.wafer.rows;  // as choose_batch_shape(): the choice does not depend on the valves
  layer.wafer.psum_cycles = 2;
  layer.wafer.turns = true;
  layer.wafer.row_groups = groups;
  const compiler::Plan plan =
      compiler::compile(layer.model, wafer_of_one_layer(one.model, layer.wafer), some_mask(one, layer.model));
  const auto cycles = static_cast<double>(cost_of_layers(plan, one.model.layers, kGroupSample).cycles);
  return cycles * passes_on(one.train_input.auto_num_csx, one, one.model.micro_batch);
}

}  // namespace

std::vector<int> group_counts(const config::Config& config) {
  std::vector<int> counts = {1};
  if (config.any_wafer(&config::BackendKind::board)) return counts;
  for (int groups = 2; groups <= config.wafer.rows; ++groups)
    if (config.wafer.rows % groups == 0 && config.train_input.batch_size % groups == 0 &&
        config.model.micro_batch % groups == 0)
      counts.push_back(groups);
  return counts;
}

std::vector<Choice> choose_shape_of_groups(config::Config& config, const SearchOptions& options) {
  const int groups = config.groups();
  config::Config one = search_config(config, groups);
  SearchOptions of_group = options;
  of_group.groups = groups;
  std::vector<Choice> choices;
  if (auto choice = choose_batch_shape(one, of_group)) choices.push_back(*std::move(choice));
  if (auto choice = choose_valves(one, options.explain)) choices.push_back(*std::move(choice));
  for (Choice& choice : choices) {
    const auto of_all = [&](Alternative& alternative) {
      for (std::size_t i = 0; i < choice.keys.size(); ++i)
        if (choice.keys[i] != "wafer.sequence_columns") alternative.values[i] *= groups;
    };
    of_all(choice.best);
    if (choice.next) of_all(*choice.next);
  }
  config.model.micro_batch = one.model.micro_batch * groups;
  config.wafer.sequence_columns = one.wafer.sequence_columns;
  config.wafer.valves = one.wafer.valves * groups;
  return choices;
}

std::optional<Choice> choose_row_groups(config::Config& config, const SearchOptions& options) {
  if (config.row_groups > 0) return std::nullopt;
  const std::vector<int> counts = group_counts(config);
  const int wafers = config.train_input.auto_num_csx;
  Choice choice{.keys = {"wafer.row_groups"}, .measure = "of a step on " + config::plural(wafers, "wafer")};
  std::vector<Alternative> found;
  std::optional<Refusal> refusal;
  int worse = 0;
  double best = std::numeric_limits<double>::infinity();
  for (const int groups : counts.size() > 1 || options.explain ? counts : std::vector<int>{}) {
    if (worse >= kMostWorse) break;
    ++worse;
    try {
      config::Config one = search_config(config, groups);
      SearchOptions of_group = options;
      of_group.groups = groups;
      const auto shape = choose_batch_shape(one, of_group);
      const bool estimated = shape && shape->best.cycles > 0;
      found.push_back({{groups}, estimated ? shape->best.cycles : cycles_of_step(one, groups)});
    } catch (const Refusal& does_not_fit) {
      if (!refusal) refusal = does_not_fit;
      continue;
    }
    if (found.back().cycles >= best) continue;
    best = found.back().cycles;
    worse = 0;
  }
  if (found.empty() && refusal) throw *refusal;
  if (found.empty()) found.push_back({counts, 0});  // nothing to compare it with
  std::ranges::stable_sort(found, {}, &Alternative::cycles);
  choice.best = found.front();
  if (found.size() > 1) choice.next = found[1];
  if (found.front().cycles > 0) choice.compared = found.size();
  config.row_groups = choice.best.values.front();
  return choice;
}

}  // namespace weft::planning
