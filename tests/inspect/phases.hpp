/// A configuration of the project, its plan and its first micro-batch.
#pragma once

#include <string>

#include "host/config/file/load.hpp"
#include "host/data/load_data.hpp"
#include "host/inspect/snapshot_to_rtl.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/train/trainer.hpp"

namespace weft::inspect {

struct Phases {
  explicit Phases(const std::string& name, const std::vector<config::Override>& overrides = {})
      : config(config::load_config(std::string(WEFT_CONFIGS) + "/" + name, overrides)),
        plan(planning::compile_plan(config, {})),
        memoryx(plan, train::memoryx_options(config)) {
    const data::Batch batch = data::load_training_data(config).micro_batch(0, 0);
    tokens = plan.tokens(batch.inputs, batch.labels);
  }

  SnapshotToRtl travel(const std::string& phase) {
    return {plan, memoryx.store().weights(), tokens, find_phase(plan, phase), 1};
  }

  config::Config config;
  compiler::Plan plan;
  memoryx::MemoryX memoryx;
  std::vector<machine::Message> tokens;
};

}  // namespace weft::inspect
