#include "host/planning/compile_plan.hpp"

#include <utility>

#include "host/config/keys/key_names.hpp"
#include "host/planning/generation_batch.hpp"
#include "host/planning/saved_plan.hpp"
#include "sw/compiler/check/check.hpp"
#include "sw/compiler/check/misfits.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::planning {

namespace {

/// Shapes as the mode compiles them.
GenerationBatch shapes_of(const config::Config& config, const machine::WaferShape& wafer) {
  if (config.runconfig.mode == "generate")
    return choose_generation_batch(config.model, wafer, static_cast<int>(config.runconfig.prompts()));
  return {config.group_model(), wafer};
}

}  // namespace

void check_fit(const config::Config& config) {
  for (const auto& [key, value] :
       {std::pair("wafer.rows", config.wafer.rows), std::pair("wafer.cols", config.wafer.cols),
        std::pair("wafer.sram_kib", config.wafer.sram_kib)})
    if (value == 0) throw config.error(key, "auto, but no board is queried in this mode", "write a number");
  machine::WaferShape wafer = config.group_wafer();
  if (wafer.valves == 0) wafer.valves = 1;  // auto: the check does not depend on it
  if (wafer.sequence_columns == 0 && config.any_wafer(&config::BackendKind::board)) wafer.sequence_columns = 1;
  config::Config one = config;
  if (one.model.micro_batch == 0) one.model.micro_batch = one.groups();  // auto: at least one sequence must fit
  try {
    compiler::check_shapes(one.group_model(), wafer);
    compiler::check(shapes_of(one, wafer).model, wafer);
  } catch (const Refusal& error) {
    throw config::placed(config, error);
  }
}

compiler::Plan compile_plan(const config::Config& config, const compiler::Mask& mask, const LoadedPlan* loaded) {
  try {
    if (loaded != nullptr) return plan_with_masks(config, *loaded, mask);
    const auto [model, wafer] = shapes_of(config, config.group_wafer());
    if (config.runconfig.mode == "generate") return compiler::compile_generation(model, wafer, mask, model.micro_batch);
    return compiler::compile(model, wafer, mask);
  } catch (const Refusal& error) {
    throw config::placed(config, error);
  }
}

}  // namespace weft::planning
