/// Memory of a training run in addition to its plan, per parameter.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "bench/benches.hpp"
#include "bench/common/replay.hpp"
#include "bench/print.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/memoryx/shards.hpp"
#include "host/memoryx/tier.hpp"
#include "host/swarmx/root/swarm.hpp"

namespace weft::bench {
namespace {

constexpr double kAll = 20.2;              // bytes: weight 4, moments 8, sum 8, plus data in flight
constexpr int kFew = 64, kMany = 256;      // layers
constexpr std::uint64_t kDram = 64 << 20;  // bound in bytes, for 320 MiB of parameters
constexpr double kMostMib = 64 + 32;       // with 16 MiB of cached frames, and those in flight

/// Memory of this process in bytes: "VmRSS", or "VmHWM", the maximum since forget_most().
double resident(const std::string& what) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(what + ":")) return std::strtod(line.c_str() + what.size() + 1, nullptr) * 1024;
  }
  throw std::runtime_error("/proc/self/status has no " + what);
}

void forget_most() { std::ofstream("/proc/self/clear_refs") << 5 << std::flush; }

/// Maximum of bytes used in three steps of `micro_batches` micro-batches on one wafer. `dram`: bound in bytes; 0: none.
double taken(int layers, std::uint32_t micro_batches, bool eager, std::uint64_t dram) {
  const compiler::Plan plan = replay_plan(layers);
  const double before = resident("VmRSS");
  forget_most();
  auto store =
      dram == 0 ? nullptr
                : std::make_unique<memoryx::TierStore>(
                      plan.parameters, memoryx::TierOptions{.dram = dram, .folder = std::filesystem::current_path()});
  memoryx::MemoryX memoryx(plan, {.eager = eager}, std::move(store));
  swarmx::Swarm swarm(plan, {.micro_batches = micro_batches,
                             .make_wafer = [&](int) { return make_replay_wafer(plan, {}); },
                             .get = [&](const swarmx::BatchRequest&) { return replay_batch(plan); }});
  for (std::uint64_t step = 0; step < 3; ++step) swarm.step(step, memoryx, [&] { memoryx.finish_update(); });
  memoryx.finish_update();
  return resident("VmHWM") - before;
}

/// Measures taken() in a child process with a fresh heap.
double taken_apart(int layers, std::uint32_t micro_batches, bool eager, std::uint64_t dram = 0) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("cannot create a pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    const double bytes = taken(layers, micro_batches, eager, dram);
    ::_exit(::write(ends[1], &bytes, sizeof bytes) == sizeof bytes ? 0 : 1);
  }
  ::close(ends[1]);
  double bytes = 0;
  const bool whole = ::read(ends[0], &bytes, sizeof bytes) == sizeof bytes;
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  if (!whole) throw std::runtime_error("the process that was to be measured has ended");
  return bytes;
}

/// Measures bytes per additional parameter.
void measure_memory(const std::string& name, std::uint32_t micro_batches, bool eager, double most) {
  const double more = taken_apart(kMany, micro_batches, eager) - taken_apart(kFew, micro_batches, eager);
  limit(name, more / static_cast<double>((kMany - kFew) * memoryx::kShard), "bytes", most);
}

}  // namespace

void memory() {
  heading(fmt::format(
      "memory: bytes per parameter that a run needs at most in addition to its plan, from {} to {} layers of 64Ki",
      kFew, kMany));
  measure_memory("weights change after a step's last gradient", 1, false, kAll);
  measure_memory("four passes a step", 4, false, kAll);
  measure_memory("a pass a step, weights change as their gradients come", 1, true, 16);
  const double mib = taken_apart(kMany, 4, false, kDram) / (1 << 20);
  limit(fmt::format("all {} layers, of which {} MiB may be in DRAM", kMany, kDram >> 20), mib, "MiB", kMostMib);
}

}  // namespace weft::bench
