#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <ostream>
#include <thread>

#include "host/backends/backend.hpp"
#include "host/cli/modes/calibrate.hpp"
#include "host/cli/modes/compile_json.hpp"
#include "host/cli/modes/modes.hpp"
#include "host/cli/modes/step_time.hpp"
#include "host/config/plural.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/memoryx/tier.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/planning/model_work.hpp"
#include "host/planning/phases.hpp"
#include "host/planning/saved_plan.hpp"
#include "host/train/load_weights.hpp"
#include "host/train/trainer.hpp"

namespace weft::cli {
namespace {

void print_phases(const std::vector<planning::Phase>& phases, std::ostream& out) {
  planning::Phase total{.name = "total"};
  for (const planning::Phase& phase : phases) total.add(phase);
  out << fmt::format("{:<30} {:>4} {:>11} {:>11} {:>13} {:>7}  {}\n", "a micro-batch, by phase", "ops", "messages",
                     "returned", "cycles, est.", "share", "bound by");
  const auto line = [&](const planning::Phase& p) {
    out << fmt::format(
        "  {:<28} {:>4} {:>11} {:>11} {:>13} {:>6.1f}%  {}\n", p.name, p.ops, p.sent, p.returned, p.cycles,
        100 * static_cast<double>(p.cycles) / static_cast<double>(std::max<std::uint64_t>(total.cycles, 1)), p.bound());
  };
  for (const planning::Phase& phase : phases) line(phase);
  line(total);
}

/// Steps per second on the simulated RTL, if one wafer takes `seconds` for a micro-batch. If the wafers have more
/// threads than there are cores, they share the cores.
double rtl_speed(const config::Config& config, double seconds) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const double busy = std::min(config.runconfig.num_csx, config.micro_batches()) * backends::rtl_threads(config);
  return 1 / (passes_of(config) * seconds * std::max(1.0, busy / cores));
}

/// Prints the memory of MemoryX, and its traffic per second at the expected speed of a wafer. Messages and words have 4
/// bytes.
void print_memoryx(const config::Config& config, const compiler::Plan& plan, const planning::Phase& total, double mhz,
                   std::ostream& out) {
  const double seconds = static_cast<double>(total.cycles) / (mhz * 1e6);
  const auto bytes = [](double count) { return config::format_bytes(4 * count); };
  const int each = memoryx_bytes_each(config),
            moments = 4 * memoryx::state_vectors(train::memoryx_options(config).optimizer);
  const bool brief = each == 4 + moments;  // sums exist only temporarily
  const double all = static_cast<double>(each) * static_cast<double>(plan.parameters);
  out << fmt::format(
      "\nMemoryX: {}, {} bytes each: 4 of the weight, {}{}; {} in all\n", config::plural(plan.parameters, "parameter"),
      each, moments == 0 ? "" : fmt::format("{} of the {}, ", moments, moments == 4 ? "moment" : "moments"),
      brief ? "and 8 of the sum while a gradient is summed" : "8 of the sum", config::format_bytes(all));
  if (const double room = config.memoryx_dram_gib * (1U << 30); room > 0 && room < all)
    out << fmt::format("  memoryx.dram_gib: {} of it in DRAM, the other {} in a file\n", config::format_bytes(room),
                       config::format_bytes(all - room));
  const auto sent = static_cast<double>(total.sent),
             returned = static_cast<double>(total.returned) * plan.wafer.row_groups;
  out << fmt::format("  a micro-batch: {} to the wafers, {} of it weights; {} back\n", bytes(sent),
                     bytes(static_cast<double>(total.weights)), bytes(returned));
  out << fmt::format("  at {:g} MHz {:.4g} s; {}/s to the wafers, {}/s back from each\n", mhz, seconds,
                     bytes(sent / seconds), bytes(returned / seconds));
}

/// Options of a MemoryX whose steps do not change the weights.
memoryx::MemoryXOptions still(const config::Config& config) {
  memoryx::MemoryXOptions options = train::memoryx_options(config);
  options.learning_rate = memoryx::LearningRate(0);
  return options;
}

/// Prints the speed of this machine, measured with simulated wafers.
void print_speed(const config::Config& config, const compiler::Plan& plan, std::uint64_t cycles, std::ostream& out) {
  const machine::WaferShape& w = plan.wafer;
  memoryx::MemoryX memoryx(plan, still(config));
  out << fmt::format("\n  model  {:.4g} steps/s expected, of whole steps with tree and optimizer\n",
                     1 / step_seconds(config, plan, memoryx));
  memoryx.finish_update();  // the last step's update may still be writing weights
  if (const auto tile_cycle = rtl_seconds(plan, memoryx.parameters(), backends::rtl_threads(config))) {
    const double seconds = *tile_cycle * w.rows * w.row_groups * w.cols * static_cast<double>(cycles);
    out << fmt::format("  rtl    {:.4g} steps/s expected, of the wafers alone\n", rtl_speed(config, seconds));
  } else {
    out << fmt::format("  rtl    of {0} lanes is not built in: make build LANES={0}\n", w.lanes);
  }
}

}  // namespace

int compile_only(const config::Config& config, std::ostream& out, const ranks::RunContext& context,
                 const CompileOptions& options) {
  if (config.memoryx_dram_gib > 0)
    memoryx::tier_shape(train::dram_bytes(config), static_cast<unsigned>(config.memoryx_threads));
  const compiler::Plan plan = planning::compile_plan(config, train::first_mask(config), context.plan.get());
  const std::vector<planning::Phase> phases = planning::estimate_phases(plan, {}, context.progress.get());
  if (options.json) {
    print_compiled_json(config, plan, phases, options, out);
    if (!options.save.empty()) planning::save_plan(config, plan, options.save, std::cerr);
    return 0;
  }
  for (const planning::Choice& choice : options.choices) out << "chosen  " << planning::text_of(choice) << '\n';
  if (!options.choices.empty()) out << '\n';
  out << "bytes of every PE, by use\n" << plan.memory_map;
  out << fmt::format("  {} a column, padding included\n\n", config::plural(plan.tokens_per_column, "token"));
  print_phases(phases, out);
  planning::Phase total;
  for (const planning::Phase& phase : phases) total.add(phase);
  const int passes = passes_of(config);
  out << fmt::format("\na step: {} on {}, {}, {} cycles of a wafer; tree and optimizer take none\n",
                     config::plural(config.micro_batches(), "micro-batch"),
                     config::plural(config.runconfig.num_csx, "wafer"), config::plural(passes, "pass"),
                     total.cycles * static_cast<std::uint64_t>(passes));
  out << fmt::format("  the model's own multiply-adds: {:.3f} of those that the lanes can do\n",
                     planning::share_of_lanes(plan, static_cast<double>(total.cycles)));
  print_memoryx(config, plan, total, options.clock_mhz, out);
  if (options.measure) print_speed(config, plan, total.cycles, out);
  if (!options.save.empty()) planning::save_plan(config, plan, options.save, out);
  return 0;
}

}  // namespace weft::cli
