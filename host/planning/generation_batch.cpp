#include "host/planning/generation_batch.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "sw/compiler/check/check.hpp"
#include "sw/compiler/check/misfits.hpp"
#include "sw/compiler/graph/graph.hpp"

namespace weft::planning {
namespace {

/// Maximum number of texts per pass that fit, at most `prompts`, reduced as far as the number of passes stays the same;
/// 0 if not even one fits.
int most_texts(compiler::ModelShape model, const machine::WaferShape& wafer, int prompts) {
  int most = 0;
  for (int beyond = prompts + 1; beyond - most > 1;) {
    model.micro_batch = (most + beyond) / 2;
    (compiler::misfits(model, wafer).empty() ? most : beyond) = model.micro_batch;
  }
  if (most == 0) return 0;
  const int passes = (prompts + most - 1) / most;
  return (prompts + passes - 1) / passes;
}

/// Beats of a column over all passes. Too few beats to hide the pipeline latency (docs/reference/pe.md) cost as much as
/// the latency.
std::int64_t beats(const GenerationBatch& one, int prompts) {
  constexpr int kPipeline = 7;
  const int texts = one.model.micro_batch, columns = one.wafer.sequence_columns, together = one.wafer.cols / columns;
  const int tokens = (one.model.seq + columns - 1) / columns;
  const int of_column = (texts + together - 1) / together * ((tokens + one.wafer.lanes - 1) / one.wafer.lanes);
  return std::int64_t{(prompts + texts - 1) / texts} * std::max(kPipeline, of_column);
}

/// The model, and a variant with less kept in memory if its network supports that.
std::vector<compiler::ModelShape> models_of(const compiler::ModelShape& model) {
  std::vector<compiler::ModelShape> models = {model};
  models.front().micro_batch = 1;
  models.front().attention = "stored";
  compiler::ModelShape less = models.front();
  less.recompute = "block";
  try {
    (void)compiler::graph_of(less);
    models.push_back(less);
  } catch (const Refusal&) {
  }
  return models;
}

}  // namespace

GenerationBatch choose_generation_batch(const compiler::ModelShape& model, const machine::WaferShape& wafer,
                                        int prompts) {
  const std::vector<compiler::ModelShape> models = models_of(model);
  GenerationBatch best{models.front(), wafer};
  bool fits = false;
  prompts = std::clamp(prompts, 1, 65535);
  const int asked = wafer.sequence_columns;
  for (const compiler::ModelShape& one : models) {
    for (int columns = std::max(1, asked); columns <= (asked > 0 ? asked : wafer.cols); ++columns) {
      if (columns > wafer.cols || wafer.cols % columns != 0) continue;
      GenerationBatch next{one, wafer};
      next.wafer.sequence_columns = columns;
      next.model.micro_batch = most_texts(one, next.wafer, prompts);
      if (next.model.micro_batch == 0) continue;
      const auto cost = [&](const GenerationBatch& of) {
        return std::tuple(beats(of, prompts), of.wafer.sequence_columns);
      };
      if (!fits || cost(next) < cost(best)) best = next;
      fits = true;
    }
  }
  if (!fits) best.wafer = compiler::with_sequence_columns(best.model, wafer);
  return best;
}

}  // namespace weft::planning
