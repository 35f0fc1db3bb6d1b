/// Steps of many micro-batches on 1 to 16 wafer processes that replay the time of gpt_small: fraction of linear
/// speed-up.
#include <fmt/format.h>

#include <vector>

#include "bench/benches.hpp"
#include "bench/common/gpt.hpp"
#include "bench/common/work.hpp"
#include "bench/print.hpp"
#include "bench/swarm/swarm_run.hpp"
#include "host/config/file/load.hpp"

namespace weft::bench {
namespace {

constexpr int kMicroBatches = 48;
constexpr int kScalingSteps = 3, kScalingLayers = 12;  // as many parameters as gpt_small
constexpr double kScalingShare = 0.9;

/// Median of the seconds per micro-batch of gpt_small on the functional model.
double micro_batch_seconds() {
  const Gpt gpt(config::load_config(WEFT_CONFIGS "/gpt_small.yaml"));
  const auto wafer = make_model_wafer(gpt.config.wafer);
  wafer->feed(gpt.plan.load);
  wafer->settle();
  std::vector<double> seconds;
  for (int run = 0; run < 6; ++run) {
    const Work work = measure(*wafer, [&] {
      wafer->feed(gpt.micro_batch);
      wafer->settle();
    });
    for (int row = 0; row < gpt.config.wafer.rows; ++row) wafer->outlet(row).clear();
    if (run > 0) seconds.push_back(work.seconds);
  }
  return median(seconds);
}

}  // namespace

void swarm_scaling() {
  heading(
      fmt::format("swarm_scaling: a step of {} micro-batches on wafers in processes of their own, with a key, which "
                  "replay gpt_small's time",
                  kMicroBatches));
  const double each = micro_batch_seconds();
  fact("a micro-batch of gpt_small on the functional model", each * 1e3, "ms");
  double one = 0;
  for (const int wafers : {1, 2, 4, 8, 16}) {
    const SwarmTimes times =
        run_swarm({.wafers = wafers, .micro_batches = kMicroBatches, .micro_batch = each, .layers = kScalingLayers},
                  kScalingSteps);
    const double step = times.step;
    if (wafers == 1) one = step;
    fact(fmt::format("a step on {}", wafers), step, "s");
    fact("  processor time", times.processor(), "s");
    fact("  processors busy with something else", times.others, "");
    const std::string name = fmt::format("  share of linear on {}", wafers);
    if (wafers == 16) goal(name, one / wafers / step, "", kScalingShare);
    if (wafers > 1 && wafers < 16) fact(name, one / wafers / step, "");
  }
}

}  // namespace weft::bench
