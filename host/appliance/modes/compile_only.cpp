#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <thread>

#include "host/appliance/compile_plan.hpp"
#include "host/appliance/counted.hpp"
#include "host/appliance/modes/backend.hpp"
#include "host/appliance/modes/calibrate.hpp"
#include "host/appliance/modes/modes.hpp"
#include "host/appliance/modes/phases.hpp"
#include "host/appliance/train/masks.hpp"
#include "host/appliance/train/trainer.hpp"
#include "host/memoryx/memoryx.hpp"

namespace weft {
namespace {

void print_phases(const std::vector<Phase>& phases, std::ostream& out) {
  Phase total{.name = "total"};
  for (const Phase& phase : phases) total.add(phase);
  out << fmt::format("{:<30} {:>4} {:>11} {:>11} {:>13} {:>7}\n", "a micro-batch, by phase", "ops", "messages",
                     "returned", "cycles, est.", "share");
  const auto line = [&](const Phase& p) {
    out << fmt::format(
        "  {:<28} {:>4} {:>11} {:>11} {:>13} {:>6.1f}%\n", p.name, p.ops, p.sent, p.returned, p.cycles,
        100 * static_cast<double>(p.cycles) / static_cast<double>(std::max<std::uint64_t>(total.cycles, 1)));
  };
  for (const Phase& phase : phases) line(phase);
  line(total);
}

/// `seconds`: of a micro-batch on one wafer, with so many threads.
void print_speed(const Config& config, const char* backend, double seconds, int threads, std::ostream& out) {
  const int wafers = config.runconfig.num_csx, rounds = (config.micro_batches() + wafers - 1) / wafers;
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const double busy = std::min(wafers, config.micro_batches()) * std::min(threads, cores);
  const double share = std::max(1.0, busy / cores);
  out << fmt::format("  {:<6} {:.4g} steps/s expected\n", backend, 1 / (rounds * seconds * share));
}

}  // namespace

int compile_only(const Config& config, std::ostream& out) {
  const Plan plan = compile_plan(config, make_mask(config));
  const MemoryX memoryx(plan, memoryx_options(config));
  const WaferShape& w = plan.wafer;
  out << "bytes of every PE, by use\n" << plan.memory_map;
  out << fmt::format("  {} a column, padding included\n\n", counted(plan.tokens_per_column, "token"));
  const std::vector<Phase> phases = estimate_phases(plan, memoryx.parameters());
  print_phases(phases, out);
  std::uint64_t cycles = 0;
  for (const Phase& phase : phases) cycles += phase.cycles;
  const int rounds = (config.micro_batches() + config.runconfig.num_csx - 1) / config.runconfig.num_csx;
  out << fmt::format("\na step: {} on {}, {}, {} cycles; without tree and optimizer\n",
                     counted(config.micro_batches(), "micro-batch"), counted(config.runconfig.num_csx, "wafer"),
                     counted(rounds, "round"), cycles * static_cast<std::uint64_t>(rounds));
  const int threads = model_threads(config);
  print_speed(config, "model", model_seconds(plan, memoryx.parameters(), threads), threads, out);
  if (const auto tile_cycle = rtl_seconds(plan, memoryx.parameters())) {
    print_speed(config, "rtl", *tile_cycle * w.rows * w.cols * static_cast<double>(cycles), 1, out);
  } else {
    out << fmt::format("  rtl    of {0} lanes is not built in: make build LANES={0}\n", w.lanes);
  }
  return 0;
}

}  // namespace weft
