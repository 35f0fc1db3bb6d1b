/// Delay of a step when a wafer's process is killed, or stopped, in the middle of its work.
///
/// A step is one pass, so only the lost work remains to be done: the time measured is from the loss to the step's last
/// contribution.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench/benches.hpp"
#include "bench/common/processes.hpp"
#include "bench/common/replay.hpp"
#include "bench/common/work.hpp"
#include "bench/print.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/root/swarm.hpp"

namespace weft::bench {
namespace {

using namespace std::chrono_literals;

constexpr int kLossTimes = 5, kLossWafers = 4, kLossLayers = 12;
constexpr std::chrono::milliseconds kLossSilence{1000};
constexpr double kWork = 0.5;  // seconds per micro-batch: the maximum lost

/// Seconds from `signal` to the end of the step during which it is sent.
double stands_still(const compiler::Plan& plan, int signal) {
  const auto credentials = some_key();
  std::vector<std::unique_ptr<WaferProcess>> processes;
  for (int id = 0; id < kLossWafers; ++id) {
    processes.push_back(std::make_unique<WaferProcess>(
        swarmx::MemberOptions{.id = id,
                              .make_wafer = [&](int) { return make_replay_wafer(plan, {.wafer = kWork}); },
                              .join = {.credentials = credentials, .job = "bench", .silence = kLossSilence}}));
  }
  memoryx::MemoryX memoryx(plan, {});
  swarmx::Swarm swarm(plan, {.num_csx = kLossWafers,
                             .local_wafers = 0,
                             .micro_batches = kLossWafers,
                             .silence = kLossSilence,
                             .straggler = 0,  // only the deadline detects losses
                             .make_wafer = {},
                             .get = [&](const swarmx::BatchRequest&) { return replay_batch(plan); },
                             .credentials = credentials,
                             .job = "bench"});
  for (const auto& process : processes) process->join(swarm.port());
  swarm.step(0, memoryx);
  memoryx.finish_update();
  Clock::time_point lost;
  const std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::duration<double>(kWork / 2));
    lost = Clock::now();
    processes.back()->signal(signal);
  });
  const swarmx::StepResult result = swarm.step(1, memoryx);
  const auto end = Clock::now();
  if (result.passes != 2) throw std::runtime_error("the wafer was not lost within the step");
  return std::chrono::duration<double>(end - lost).count();
}

}  // namespace

void swarm_loss() {
  heading(
      fmt::format("swarm_loss: from a wafer's death to the last contribution of a step of {} wafers that work {:g} "
                  "s, deadline {:g} s, {} times each",
                  kLossWafers, kWork, std::chrono::duration<double>(kLossSilence).count(), kLossTimes));
  const double allowed = 2 * std::chrono::duration<double>(kLossSilence).count() + kWork;
  const compiler::Plan plan = replay_plan(kLossLayers);
  for (const auto& [signal, name] : {std::pair{SIGKILL, "killed"}, std::pair{SIGSTOP, "stopped"}}) {
    std::vector<double> times;
    for (int time = 0; time < kLossTimes; ++time) times.push_back(stands_still(plan, signal));
    const double worst = *std::ranges::max_element(times);
    fact(fmt::format("{}, the median", name), median(times), "s");
    fact(fmt::format("{}, the worst", name), worst, "s");
    limit(fmt::format("{}, the worst over twice the deadline and the lost work", name), worst / allowed, "times", 1);
  }
}

}  // namespace weft::bench
