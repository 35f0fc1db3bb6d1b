#include "host/cli/modes/step_time.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "host/backends/backend.hpp"
#include "host/planning/phases.hpp"
#include "host/swarmx/root/swarm.hpp"
#include "host/train/trainer.hpp"

namespace weft::cli {
namespace {

constexpr double kPatience = 0.5;  // seconds
constexpr int kAtWorkPerCore = 4, kMostWafers = 128;
constexpr std::int64_t kMostSram = std::int64_t{1} << 30;  // in bytes, of all wafers of a trial

int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Ratio of the cores that `wafers` busy wafers could use to those available; at least 1.
double crowd(const config::Config& config, int wafers) {
  return std::max(1.0, static_cast<double>(wafers) * std::min(backends::model_threads(config), cores()) / cores());
}

/// Duration of the fastest step within `patience` seconds; runs at least one.
double fastest(const config::Config& config, const Trial& trial, const compiler::Plan& plan, memoryx::MemoryX& memoryx,
               double patience) {
  compiler::ModelShape all_groups = plan.model;
  all_groups.micro_batch = plan.sequences();
  const std::vector<TokenId> ids = planning::some_tokens(all_groups);
  swarmx::SwarmOptions options = train::swarm_options(
      config, [&](int) { return make_model_wafer(config.group_wafer(), backends::model_threads(config)); },
      [&](const swarmx::BatchRequest&) {
        return swarmx::MicroBatch{ids, ids};
      });
  options.num_csx = trial.wafers;
  options.micro_batches = static_cast<std::uint32_t>(trial.micro_batches);
  swarmx::Swarm swarm(plan, std::move(options));
  std::uint64_t done = 0;
  const auto step = [&] {
    const double start = now();
    swarm.step(done++, memoryx,
               [&] { memoryx.finish_update(); });  // overlaps the update with the next step, as in a run
    return now() - start;
  };
  step();
  const double start = now();
  double best = step();
  while (now() - start + best < patience) best = std::min(best, step());
  return best;
}

}  // namespace

int passes_of(const config::Config& config) {
  return (config.micro_batches() + config.runconfig.num_csx - 1) / config.runconfig.num_csx;
}

int memoryx_bytes_each(const config::Config& config) {
  const int moments = 4 * memoryx::state_vectors(train::memoryx_options(config).optimizer);
  const bool brief = config.memoryx_eager_update && config.optimizer.max_gradient_norm == 0 && passes_of(config) == 1;
  return 4 + moments + (brief ? 0 : 8);
}

Trial trial(const config::Config& config, int passes) {
  const machine::WaferShape& w = config.wafer;
  const std::int64_t sram = std::int64_t{w.rows} * w.cols * w.sram_kib * 1024;
  const int working = std::min(config.runconfig.num_csx, config.micro_batches());  // the others get no stream
  const int busy = kAtWorkPerCore * cores();
  const double room = static_cast<double>(std::max<std::int64_t>(kMostSram / sram, 1));
  const double most = std::min<double>(room, std::max(kMostWafers, busy));
  const double part = std::min({1.0, most / working, static_cast<double>(busy) / working});
  const auto part_of = [&](int n) { return std::max(1, static_cast<int>(std::lround(part * n))); };
  passes = std::min(passes, passes_of(config));
  Trial trial;
  trial.wafers = part_of(working);
  trial.micro_batches = std::min(config.micro_batches(), part_of(working) * passes);
  trial.scale = crowd(config, working) / crowd(config, part_of(working));
  trial.scale *= static_cast<double>(passes_of(config)) / passes;
  return trial;
}

double step_seconds(const config::Config& config, const compiler::Plan& plan, memoryx::MemoryX& memoryx) {
  const Trial one = trial(config, 1);
  const double seconds = fastest(config, one, plan, memoryx, passes_of(config) == 1 ? kPatience : 0);
  const int passes = static_cast<int>(std::min<double>(passes_of(config), kPatience / seconds));
  if (passes <= 1) return seconds * one.scale;
  const Trial more = trial(config, passes);
  return fastest(config, more, plan, memoryx, kPatience) * more.scale;
}

}  // namespace weft::cli
