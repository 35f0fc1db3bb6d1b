#include "host/cli/modes/host_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "host/cli/modes/step_time.hpp"
#include "host/config/plural.hpp"
#include "host/ranks/joining.hpp"
#include "sw/base/memory_room.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::cli {
namespace {

constexpr auto kElsewhere = "--mode compile_only prints the needed memory and runs nothing";

}  // namespace

void check_host_memory(const config::Config& config, int simulated, int memory_ranks) {
  const double here = memory_limit();
  const machine::WaferShape& w = config.wafer;
  const double tiles = 1024.0 * w.sram_kib * w.rows * w.cols * simulated * (config.check == "none" ? 1 : 2);
  if (tiles > here)
    throw config.error("wafer.rows",
                       fmt::format("{} of {} x {} tiles, {} KiB each, take {} to simulate; this machine has {}",
                                   config::plural(static_cast<std::uint64_t>(simulated), "wafer"), w.rows, w.cols,
                                   w.sram_kib, config::format_bytes(tiles), config::format_bytes(here)),
                       fmt::format("{}; or use fewer tiles, or more machines "
                                   "(docs/howto/run_several_processes.md)",
                                   kElsewhere));
  if (!config.runconfig.mode.starts_with("train")) return;
  const int parts = std::max(1, memory_ranks);  // parts of similar size
  const double memoryx = memoryx_bytes_each(config) *
                         static_cast<double>(compiler::parameter_count(compiler::model_tensors(config.model))) / parts;
  const double bound = config.memoryx_dram_gib * (1 << 30);
  if (memoryx <= here || (bound > 0 && bound <= here)) return;
  throw config.error(
      "memoryx.dram_gib",
      fmt::format("MemoryX has {} of this model{}; this machine has {}", config::format_bytes(memoryx),
                  bound > 0 ? fmt::format(", {} of it in DRAM", config::format_bytes(std::min(bound, memoryx))) : "",
                  config::format_bytes(here)),
      fmt::format("{}; or keep a{} part on a disk, --memoryx.dram_gib {:.3g}", kElsewhere, bound > 0 ? " larger" : "",
                  here / (2.0 * (1 << 30))));
}

}  // namespace weft::cli
