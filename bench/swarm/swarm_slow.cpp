/// Rate of a swarm of which one wafer, link or node is slow, over that of the same swarm without it.
///
/// Wafers are processes that replay a time, so that the load of the machine hardly matters. The two swarms run in turn.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <vector>

#include "bench/benches.hpp"
#include "bench/common/processes.hpp"
#include "bench/common/replay.hpp"
#include "bench/common/work.hpp"
#include "bench/print.hpp"
#include "bench/swarm/slow_link.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/members/node_member.hpp"
#include "host/swarmx/root/swarm.hpp"
#include "host/swarmx/tree/tree.hpp"

namespace weft::bench {
namespace {

using namespace std::chrono_literals;

constexpr int kSlowMicroBatches = 6;  // per step
constexpr auto kSlowAllowed = 10s, kSlowNamed = 5s, kSlowMeasured = 20s;
constexpr auto kSlowRuns = 50ms, kSlowPeriod = 1000ms;  // of a process that is stopped most of the time

struct SlowScenario {
  const char* name;
  int wafers;              ///< with the slow one
  int layers = 48;         ///< of replay_plan: 0.26 MB of weights, and of gradients, each
  double each = 0.8;       ///< seconds of a micro-batch
  int nodes = 0;           ///< processes between root and wafers; the last one is slow, with half of the wafers
  const char* slow = "";   ///< command of the relay to the slow rank; empty: its process is stopped most of the time
  const char* again = "";  ///< command that takes turns with it
};

constexpr SlowScenario kSlowScenarios[] = {
    {.name = "a link of 200 kB/s, 2 healthy wafers", .wafers = 3, .slow = "rate 200000"},
    {.name = "a link of 20 kB/s, 3 healthy wafers", .wafers = 4, .slow = "rate 20000"},
    {.name = "a process stopped 95 % of the time, 2 healthy wafers", .wafers = 3, .layers = 4, .each = 0.1},
    {.name = "a node behind 200 kB/s, 2 healthy wafers below another", .wafers = 4, .nodes = 2, .slow = "rate 200000"},
    {.name = "a link of 20 kB/s up, 2 healthy wafers", .wafers = 3, .slow = "up rate 20000"},
    {.name = "a link of 20 kB/s down, 2 healthy wafers", .wafers = 3, .slow = "down rate 20000"},
    {.name = "a link held every other second, 2 healthy wafers",
     .wafers = 3,
     .layers = 4,
     .each = 0.1,
     .slow = "hold",
     .again = "go"},
};

struct SlowRun {
  double rate = 0;                   ///< micro-batches a second, kSlowAllowed after the fault
  std::optional<double> named = {};  ///< seconds from the fault until the status names the slow rank
  std::string why = {};              ///< cause in the status
};

/// True of the wafer that the scenario makes slow, or those below the node.
bool is_slow_rank(const SlowScenario& scenario, const swarmx::RankStatus& wafer) {
  if (scenario.nodes > 0) return wafer.node == swarmx::node_name(scenario.nodes - 1);
  return wafer.name == swarmx::wafer_name(scenario.wafers - 1);
}

/// Measures the scenario, or with `healthy` the swarm without its slow part.
SlowRun run_slow(const SlowScenario& scenario, bool healthy) {
  const int wafers = healthy ? scenario.wafers - (scenario.nodes > 0 ? scenario.wafers / 2 : 1) : scenario.wafers;
  const int nodes = healthy ? std::max(0, scenario.nodes - 1) : scenario.nodes;
  const compiler::Plan plan = replay_plan(scenario.layers);
  const auto credentials = no_key();
  const swarmx::JoinOptions join{.credentials = credentials, .job = "bench"};
  const bool relayed = !healthy && scenario.slow[0] != 0;
  std::unique_ptr<SlowLink> link = relayed ? std::make_unique<SlowLink>(scenario.slow, scenario.again) : nullptr;
  std::vector<std::unique_ptr<JoiningProcess>> processes;  // the slow one is the last of its kind
  for (int id = 0; id < wafers; ++id)
    processes.push_back(std::make_unique<WaferProcess>(swarmx::MemberOptions{
        .id = id, .make_wafer = [&](int) { return make_replay_wafer(plan, {.wafer = scenario.each}); }, .join = join}));
  for (int id = 0; id < nodes; ++id)
    processes.push_back(std::make_unique<JoiningProcess>([&](std::uint16_t port) {
      swarmx::NodeMemberOptions node{.id = id, .join = join};
      node.join.port = port;
      swarmx::run_node_member(node);
    }));
  memoryx::MemoryX memoryx(plan, {});
  swarmx::Swarm swarm(plan, {.num_csx = wafers,
                             .local_wafers = 0,
                             .nodes = nodes,
                             .micro_batches = kSlowMicroBatches,
                             .make_wafer = {},
                             .get = [&](const swarmx::BatchRequest&) { return replay_batch(plan); },
                             .credentials = credentials,
                             .job = "bench"});
  for (const auto& process : processes) {
    const bool last = process == processes.back();
    process->join(last && link ? link->start(swarm.port()) : swarm.port());
  }
  std::uint64_t steps = 0;
  const auto step = [&] {
    swarm.step(steps++, memoryx);
    memoryx.finish_update();
  };
  for (int n = 0; n < 3; ++n) step();
  const auto fault = Clock::now();
  SlowRun measured;
  std::jthread stopper;
  if (link) link->make_slow();
  if (!healthy && !link)
    stopper = std::jthread([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        processes.back()->signal(SIGSTOP);
        std::this_thread::sleep_for(kSlowPeriod - kSlowRuns);
        processes.back()->signal(SIGCONT);
        std::this_thread::sleep_for(kSlowRuns);
      }
    });
  {
    const std::jthread looks([&](const std::stop_token& stop) {
      for (; !healthy && !stop.stop_requested() && !measured.named; std::this_thread::sleep_for(20ms))
        for (const swarmx::RankStatus& wafer : swarm.status().wafers)
          if (is_slow_rank(scenario, wafer) && !wafer.why.empty() && !measured.named) {
            measured.named = std::chrono::duration<double>(Clock::now() - fault).count();
            measured.why = wafer.why;
          }
    });
    std::uint64_t before = steps;
    for (; Clock::now() - fault < (healthy ? 0s : kSlowAllowed); step()) before = steps;
    const auto begin = healthy ? Clock::now() : fault + kSlowAllowed;  // a step that is under way counts as a whole
    while (Clock::now() - begin < kSlowMeasured) step();
    measured.rate = static_cast<double>((steps - before) * kSlowMicroBatches) /
                    std::chrono::duration<double>(Clock::now() - begin).count();
  }
  stopper = {};
  link.reset();
  processes.pop_back();  // a slow rank would take its time to read Stop
  return measured;
}

}  // namespace

void swarm_slow() {
  heading(
      fmt::format("swarm_slow: rate of swarms with a slow part, from {} s after it becomes slow, over the rate without "
                  "that part",
                  kSlowAllowed.count()));
  for (const SlowScenario& scenario : kSlowScenarios) {
    const SlowRun healthy = run_slow(scenario, true), slow = run_slow(scenario, false);
    const std::string name = scenario.name;
    fact(name + ", micro-batches a second without it", healthy.rate, "");
    fact(name + ", with it", slow.rate, "");
    goal(name + ", share", slow.rate / healthy.rate, "", 0.9);
    limit(name + ", named after", slow.named.value_or(1e9), "s", static_cast<double>(kSlowNamed.count()));
    row("causes", {{"slow", name}, {"cause", slow.why}});
  }
}

}  // namespace weft::bench
