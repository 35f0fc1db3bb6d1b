#include "host/appliance/compile_plan.hpp"

#include "sw/compiler/check.hpp"

namespace weft {
namespace {

/// `error` begins with a key.
ConfigError at_its_place(const Config& config, const CompileError& error) {
  const std::string what = error.what();
  return ConfigError(config.place(what.substr(0, what.find(':'))).text() + ": " + what);
}

}  // namespace

void check_fit(const Config& config) {
  ModelShape model = config.model;
  if (config.runconfig.mode == "generate") model.micro_batch = 1;
  try {
    check(model, config.wafer);
  } catch (const CompileError& error) {
    throw at_its_place(config, error);
  }
}

Plan compile_plan(const Config& config, const Mask& mask) {
  try {
    if (config.runconfig.mode == "generate") return compile_generation(config.model, config.wafer, mask);
    return compile(config.model, config.wafer, mask);
  } catch (const CompileError& error) {
    throw at_its_place(config, error);
  }
}

}  // namespace weft
