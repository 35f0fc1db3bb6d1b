#include "host/train/memory_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace weft::train {
namespace {

std::string size_text(double bytes) {
  constexpr double kMib = 1 << 20, kGib = 1 << 30;
  return bytes < 0.1 * kGib ? fmt::format("{:.2f} MiB", bytes / kMib) : fmt::format("{:.2f} GiB", bytes / kGib);
}

/// The number 123 of a line "key: 123 ..." in a file of /proc; 0 if there is no such line.
double number_in(const char* file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(key + ":")) return std::strtod(line.c_str() + key.size() + 1, nullptr);
  return 0;
}

double bytes(std::uint64_t count) { return static_cast<double>(count); }

}  // namespace

std::optional<std::string> flash_tier_report(const config::Config& config, const compiler::Plan& plan,
                                             const memoryx::Pages* pages) {
  if (pages == nullptr) return std::nullopt;
  const double all = bytes(pages->count() * pages->page_bytes()), room = bytes(pages->room() * pages->page_bytes());
  const std::string& folder = config.memoryx_flash_dir.empty() ? config.runconfig.model_dir : config.memoryx_flash_dir;
  std::string text = fmt::format("tiers   {} of {} in DRAM, the rest in {}: {}", size_text(std::min(room, all)),
                                 size_text(all), folder, pages->description());
  const compiler::TensorInfo& largest = *std::ranges::max_element(plan.tensors, {}, &compiler::TensorInfo::size);
  if (const double sums = 8 * bytes(largest.size); room < all && sums > 0.75 * room) {
    text += fmt::format(
        "\nnote    memoryx.dram_gib: the gradient of {} takes {}, and is read and written repeatedly; the run is "
        "faster with more than {:.3g}",
        largest.name, size_text(sums), sums / 0.75 / (1 << 30));
  }
  return text;
}

std::string memory_report(const config::Config& config, const compiler::Plan& plan, bool wafers_here,
                          const memoryx::Pages* pages) {
  const double most = 1024 * number_in("/proc/self/status", "VmHWM");
  const machine::WaferShape& w = plan.wafer;
  const double tile = 1024.0 * w.sram_kib + 4.0 * machine::WaferShape::kRDepth * w.lanes;
  const int here = !wafers_here ? 0 : config.wafers() - config.boards_before(config.wafers());
  const double wafers = tile * w.all_rows() * w.cols * here;
  std::string text = fmt::format("memory  {} at most (VmHWM): {} of the wafers' tiles, {} in addition", size_text(most),
                                 size_text(wafers), size_text(most - wafers));
  constexpr std::uint64_t kMany = 10'000'000;  // large enough for the program's own memory to be negligible
  if (plan.parameters >= kMany)
    text += fmt::format(", {:.1f} bytes a parameter", (most - wafers) / bytes(plan.parameters));
  if (pages != nullptr) {
    const auto [read, written] = pages->traffic();
    text += fmt::format("; tier read {}, wrote {}; disks gave {}, took {}", size_text(bytes(read)),
                        size_text(bytes(written)), size_text(number_in("/proc/self/io", "read_bytes")),
                        size_text(number_in("/proc/self/io", "write_bytes")));
  }
  return text;
}

}  // namespace weft::train
