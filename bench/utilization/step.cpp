#include "bench/benches.hpp"
#include "bench/common/gpt.hpp"
#include "bench/common/train.hpp"
#include "bench/print.hpp"

namespace weft::bench {
void step() {
  heading("step: a training step of gpt_tiny on one RTL wafer, 4x4 tiles");
  const metrics::StepMetrics metrics = train_step("rtl", 1);
  const config::Config config = tiny_config("rtl");
  const machine::WaferShape& w = config.wafer;
  const auto cycles = metrics.sim_cycles.value();
  const double per_token = static_cast<double>(cycles) / static_cast<double>(metrics.tokens);
  count("a step", cycles, "cycles");
  fact("a token", per_token, "cycles");
  goal("FPU utilization of a step: beats that multiply", metrics.fpu_utilization.value(), "", 0.4);
  fact("  of the lanes' cycles, what the model itself asks for",
       model_multiply_adds(config.model) / (per_token * w.rows * w.cols * w.lanes), "");
}

}  // namespace weft::bench
