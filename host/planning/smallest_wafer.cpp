#include "host/planning/smallest_wafer.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "host/planning/compile_plan.hpp"

namespace weft::planning {
namespace {

/// Wafers to try, the smallest first: rows, columns, KiB.
constexpr std::array<std::array<int, 3>, 12> kWafers = {{{2, 2, 48},
                                                         {4, 4, 48},
                                                         {8, 8, 48},
                                                         {16, 16, 48},
                                                         {32, 32, 48},
                                                         {64, 32, 48},
                                                         {64, 64, 96},
                                                         {96, 64, 128},
                                                         {128, 128, 128},
                                                         {256, 128, 128},
                                                         {512, 256, 128},
                                                         {1024, 512, 128}}};

}  // namespace

config::Config with_smallest_wafer(const std::vector<config::Override>& overrides,
                                   const std::function<config::Config(const std::vector<config::Override>&)>& with) {
  const auto fitting = [&](std::vector<config::Override> wafer) {
    wafer.insert(wafer.end(), overrides.begin(), overrides.end());
    config::Config config = with(wafer);
    check_fit(config);
    return config;
  };
  const auto is_set = [](const config::Override& change) {
    return change.key == "wafer.rows" || change.key == "wafer.cols";
  };
  if (std::ranges::any_of(overrides, is_set)) return fitting({});
  std::optional<Refusal> last;
  for (const auto& [rows, cols, sram] : kWafers) {
    try {
      return fitting({{"wafer.rows", std::to_string(rows)},
                      {"wafer.cols", std::to_string(cols)},
                      {"wafer.sram_kib", std::to_string(sram)}});
    } catch (const Refusal& refusal) {
      last = refusal;
    }
  }
  throw *last;
}

}  // namespace weft::planning
