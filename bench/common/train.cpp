#include "bench/common/train.hpp"

#include "bench/common/gpt.hpp"
#include "bench/common/work.hpp"
#include "host/train/trainer.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::bench {

metrics::StepMetrics train_step(const std::string& backend, int num_csx, int steps) {
  const config::Config config = tiny_config(backend, num_csx);
  const compiler::Plan plan = compiler::compile(config.model, config.wafer);
  train::Trainer trainer(config, plan, [&](int) {
    return config.backend == "rtl" ? make_rtl_wafer(config.wafer) : make_model_wafer(config.wafer);
  });
  trainer.step();  // warm-up, which also loads the wafer
  metrics::StepMetrics last;
  std::vector<double> seconds;
  for (int step = 0; step < steps; ++step) {
    last = trainer.step();
    seconds.push_back(last.seconds);
  }
  last.seconds = median(seconds);
  return last;
}

}  // namespace weft::bench
