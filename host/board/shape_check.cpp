#include "host/board/shape_check.hpp"

#include <fmt/format.h>

#include "sw/base/refusal.hpp"

namespace weft::board {

void check_shape(const DeviceInfo& info, const machine::WaferShape& shape, const std::string& device) {
  std::string problem, hint;
  const auto compare = [&](const char* key, int has, int asked, bool fits) {
    if (fits) return;
    problem += fmt::format("{}{} is {}, the board has {}", problem.empty() ? "" : "; ", key, asked, has);
    hint += fmt::format("{}{} {}", hint.empty() ? "set " : ", ", key, has);
  };
  compare("wafer.rows", info.rows, shape.rows, info.rows == shape.rows);
  compare("wafer.cols", info.cols, shape.cols, info.cols == shape.cols);
  compare("wafer.lanes", info.lanes, shape.lanes, info.lanes == shape.lanes);
  compare("wafer.sram_kib", info.sram_kib, shape.sram_kib, info.sram_kib >= shape.sram_kib);
  compare("wafer.valves", 1, shape.valves, shape.valves == 1);
  if (info.colors < shape.colors_used()) {
    problem += fmt::format("{}programs use {} colors, the board has {}", problem.empty() ? "" : "; ",
                           shape.colors_used(), info.colors);
    hint += fmt::format("{}a board made with more colors", hint.empty() ? "use " : ", and use ");
  }
  if (shape.w_turns()) {
    problem += fmt::format("{}W turns around in the last of {} columns, which the routers of boards do not support",
                           problem.empty() ? "" : "; ", shape.cols);
    hint += fmt::format("{}--backend fpga for what is compiled", hint.empty() ? "use " : ", and use ");
  }
  if (problem.empty()) return;
  throw Refusal("fpga.device", device + ": " + problem, hint);
}

}  // namespace weft::board
