/// Two runs of the small model, identical except for a test's change.
#pragma once

#include <gtest/gtest.h>

#include <sstream>

#include "host/backends/backend.hpp"
#include "host/config/file/load.hpp"
#include "host/inspect/bisect/bisect.hpp"
#include "host/inspect/bisect/recorder.hpp"
#include "host/planning/compile_plan.hpp"
#include "tests/inspect/bisect/faulty_wafer.hpp"

namespace weft::inspect::bisect {

struct Sides {
  explicit Sides(const std::vector<config::Override>& overrides = {})
      : config(tiny(overrides)), plan(planning::compile_plan(config, {})) {}

  /// Overrides for sides of which one is RTL: half the time.
  static std::vector<config::Override> one_layer() { return {{"model.num_hidden_layers", "1"}}; }

  static config::Config tiny(std::vector<config::Override> overrides, const std::string& backend = "model") {
    overrides.insert(overrides.begin(),
                     {{"runconfig.num_steps", "1"}, {"wafer.backend", backend}, {"train_input.batch_size", "4"}});
    return config::load_config(std::string(WEFT_CONFIGS) + "/gpt_tiny.yaml", overrides);
  }
  swarmx::MakeWafer model() const {
    return [this](int) { return backends::make_wafer(config); };
  }
  std::size_t op(const std::string& name) const {
    for (std::size_t n = 0; n < plan.ops.size(); ++n)
      if (plan.ops[n].name == name) return n;
    throw std::invalid_argument(name);
  }
  /// Compares the unchanged plan with `other`, run on wafers from `wafers`.
  Finding against(compiler::Plan other, swarmx::MakeWafer wafers = {}) const {
    Recorder a(config, plan, model()), b(config, std::move(other), wafers ? std::move(wafers) : model());
    return find(a, b);
  }
  /// Compares the unchanged configuration with one that has further overrides.
  Finding against(std::vector<config::Override> more) const {
    Recorder a(config), b(tiny(std::move(more)));
    return find(a, b);
  }
  static Finding find(Side& a, Side& b) {
    std::ostringstream out;
    Finding finding = bisect(a, b, out);
    print(finding, out);
    said() = out.str();
    return finding;
  }
  static std::string& said() {
    static std::string text;
    return text;
  }

  config::Config config;
  compiler::Plan plan;
};

}  // namespace weft::inspect::bisect
