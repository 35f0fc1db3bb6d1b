#include "host/appliance/compile_plan.hpp"

#include <algorithm>
#include <utility>

#include "host/appliance/saved_plan.hpp"
#include "sw/compiler/check.hpp"

namespace weft {

namespace {

/// Texts that a pass of `generate` takes: as many of the prompts as fit, and no more than make the same number of
/// passes.
int texts_at_once(const Config& config) {
  const int prompts = std::max(1, static_cast<int>(config.runconfig.prompts()));
  const auto fits = [&](int texts) {
    ModelShape model = config.model;
    model.micro_batch = texts;
    return misfits(model, config.wafer).empty();
  };
  int most = 1;
  for (int beyond = std::min(prompts, 65535) + 1; beyond - most > 1;) {
    const int middle = (most + beyond) / 2;
    (fits(middle) ? most : beyond) = middle;
  }
  const int passes = (prompts + most - 1) / most;
  return (prompts + passes - 1) / passes;
}

/// As the mode compiles it.
ModelShape model_of(const Config& config) {
  ModelShape model = config.model;
  if (config.runconfig.mode == "generate") model.micro_batch = texts_at_once(config);
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
    if (config.runconfig.mode == "generate")
      return compile_generation(config.model, config.wafer, mask, texts_at_once(config));
    return compile(config.model, config.wafer, mask);
  } catch (const Refusal& error) {
    throw config.placed(error);
  }
}

}  // namespace weft
