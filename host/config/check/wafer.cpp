#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "host/config/check/sections.hpp"
#include "host/config/plural.hpp"
#include "weft_lanes.hpp"

namespace weft::config {
namespace {

/// Dimensions can be taken from the board only if there is one, and each board needs its own device.
void check_board(const Config& c) {
  for (const auto& [key, value] : {std::pair("wafer.rows", c.wafer.rows), std::pair("wafer.cols", c.wafer.cols),
                                   std::pair("wafer.sram_kib", c.wafer.sram_kib)})
    if (value == 0 && !c.any_wafer(&BackendKind::board))
      throw c.error(key, "auto, but there is no board to ask", "write a number, or use wafer.backend fpga");
  const int boards = c.boards_before(c.wafers());
  const auto devices = static_cast<int>(c.fpga_device.size());
  const bool any = devices == 1 && c.fpga_device[0].starts_with("emulated");
  if (boards > devices && !any)
    throw c.error("fpga.device", fmt::format("{} for {} on boards", plural(devices, "device"), plural(boards, "wafer")),
                  "name one for each, e.g. \"[/dev/ttyUSB0, /dev/ttyUSB1]\"");
}

}  // namespace

void check_wafer(const Config& c) {
  check_board(c);
  if (c.wafer.rows > 0 && c.wafer.valves > c.wafer.rows) {
    throw c.error("wafer.valves", plural(c.wafer.valves, "valve") + " for " + plural(c.wafer.rows, "row"),
                  c.wafer.rows == 1 ? "use 1" : fmt::format("use 1 to {}", c.wafer.rows));
  }
  const int lanes = c.wafer.lanes;
  if (lanes != 2 && lanes != 4 && lanes != 8 && lanes != 16)
    throw c.error("wafer.lanes", fmt::format("{} is not 2, 4, 8 or 16", lanes), "use 4");
  if (c.has_backend("rtl") && !rtl_has(lanes)) {
    throw c.error("wafer.lanes",
                  fmt::format("{}, but this build simulates RTL of {}", lanes, fmt::join(kRtlLanes, ", ")),
                  fmt::format("make build LANES={}, or use wafer.backend model", lanes));
  }
}

}  // namespace weft::config
