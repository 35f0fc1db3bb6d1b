#include "bench/scaling_sections.hpp"

#include <vector>

#include "bench/figure7.hpp"
#include "bench/gpt.hpp"
#include "bench/gpt3.hpp"
#include "bench/plan_work.hpp"
#include "bench/swarm_fit.hpp"
#include "host/config/file/load.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::bench {

namespace {

/// configs/gpt_small.yaml on a wafer scaled so that a micro-batch takes as long as in the measured runs.
swarm_model::Work gpt_small() {
  const Config config = load_config(WEFT_CONFIGS "/gpt_small.yaml");
  const Plan plan = compile(config.model, config.wafer);
  const swarm_model::Work work = work_in_cycles(plan, estimate_phases(plan));
  return slowed(work, SwarmRun{}.micro_batch / swarm_model::total(work).seconds);
}

}  // namespace

ScalingPage scaling_page(const DrawnSystem& system) {
  std::vector<Gpt3Line> lines;
  for (const Gpt3Size& size : gpt3_sizes()) lines.push_back(gpt3_line(size, wafer_of_the_text()));
  const Measured measured = read_measured(WEFT_BENCH "/swarm_measured.json");
  const swarm_model::Machine here = fitted(measured);
  const std::vector<ScaledModel> models = scaled_models(lines, system);
  return {.sections = {{"gpt3", gpt3_table(lines)},
                       {"projection", projection_table(wafer_of_the_text(), lines.back())},
                       {"swarm-costs", costs_table(here)},
                       {"swarm-fit", runs_table(here, measured.fit)},
                       {"swarm-check", runs_table(here, measured.check)},
                       {"swarm-hosts", hosts_table(here, measured, gpt_small())},
                       {"figure7", figure7_table(models)},
                       {"figure7-variants", figure7_variants(models, system, here)}},
          .figure7 = figure7_picture(models)};
}

}  // namespace weft::bench
