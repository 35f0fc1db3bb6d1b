/// Steps of many micro-batches on 1 to 16 wafer processes that replay the time gpt_small takes: the share of linear.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <vector>

#include "bench/benches.hpp"
#include "bench/gpt.hpp"
#include "bench/print.hpp"
#include "bench/processes.hpp"
#include "bench/replay.hpp"
#include "bench/work.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/swarm.hpp"

namespace weft::bench {
namespace {

constexpr std::uint32_t kMicroBatches = 48;
constexpr int kSteps = 3, kLayers = 12;  // as many parameters as gpt_small has
constexpr double kShare = 0.9;

/// Seconds of a micro-batch of gpt_small on the functional model, the median.
double micro_batch_seconds() {
  const Gpt gpt(load_config(WEFT_CONFIGS "/gpt_small.yaml"));
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

/// Seconds of a step on so many wafers, the median.
double step_seconds(const Plan& plan, int wafers, double each) {
  const auto credentials = some_key();
  std::vector<std::unique_ptr<WaferProcess>> processes;
  for (int id = 0; id < wafers; ++id) {
    processes.push_back(std::make_unique<WaferProcess>(
        MemberOptions{.id = id, .credentials = credentials, .job = "bench", .make_wafer = [&](int) {
                        return make_replay_wafer(plan, {.wafer = each});
                      }}));
  }
  MemoryX memoryx(plan, {});
  Swarm swarm(plan, {.num_csx = wafers,
                     .local_wafers = 0,
                     .micro_batches = kMicroBatches,
                     .make_wafer = {},
                     .get = [&](const BatchRequest&) { return replay_batch(plan); },
                     .credentials = credentials,
                     .job = "bench"});
  for (const auto& process : processes) process->join(swarm.port());
  std::vector<double> steps;
  for (int k = 0; k <= kSteps; ++k) {
    const auto begin = Clock::now();
    swarm.step(static_cast<std::uint64_t>(k), memoryx);
    memoryx.settle();
    if (k > 0) steps.push_back(std::chrono::duration<double>(Clock::now() - begin).count());  // the first waits for all
  }
  return median(steps);
}

}  // namespace

void swarm_scaling() {
  heading(
      fmt::format("swarm_scaling: a step of {} micro-batches on wafers in processes of their own, with a key, which "
                  "replay gpt_small's time",
                  kMicroBatches));
  const double each = micro_batch_seconds();
  fact("a micro-batch of gpt_small on the functional model", each * 1e3, "ms");
  const Plan plan = replay_plan(kLayers);
  double one = 0;
  for (const int wafers : {1, 2, 4, 8, 16}) {
    const double step = step_seconds(plan, wafers, each);
    if (wafers == 1) one = step;
    fact(fmt::format("a step on {}", wafers), step, "s");
    const std::string name = fmt::format("  share of linear on {}", wafers);
    if (wafers == 16) goal(name, one / wafers / step, "", kShare);
    if (wafers > 1 && wafers < 16) fact(name, one / wafers / step, "");
  }
}

}  // namespace weft::bench
