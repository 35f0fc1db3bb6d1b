#include "host/appliance/compile_plan.hpp"

#include <utility>

#include "host/appliance/saved_plan.hpp"
#include "sw/compiler/check.hpp"

namespace weft {

namespace {

/// As the mode compiles it.
ModelShape model_of(const Config& config) {
  ModelShape model = config.model;
  if (config.runconfig.mode == "generate") model.micro_batch = 1;
  return model;
}

}  // namespace

void check_fit(const Config& config) {
  for (const auto& [key, value] :
       {std::pair("wafer.rows", config.wafer.rows), std::pair("wafer.cols", config.wafer.cols),
        std::pair("wafer.sram_kib", config.wafer.sram_kib)})
    if (value == 0) throw config.error(key, "auto, but no board is asked here", "write a number");
  WaferShape wafer = config.wafer;
  if (wafer.valves == 0) wafer.valves = 1;  // auto: nothing that has to fit depends on it
  try {
    check(model_of(config), wafer);
  } catch (const Refusal& error) {
    throw config.placed(error);
  }
}

void choose_sequence_columns(Config& config) { config.wafer = with_sequence_columns(model_of(config), config.wafer); }

Plan compile_plan(const Config& config, const Mask& mask) {
  try {
    if (config.plan != nullptr) return saved_plan(config, mask);
    if (config.runconfig.mode == "generate") return compile_generation(config.model, config.wafer, mask);
    return compile(config.model, config.wafer, mask);
  } catch (const Refusal& error) {
    throw config.placed(error);
  }
}

}  // namespace weft
