#include "host/backends/backend.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "host/backends/checked_wafer.hpp"
#include "host/board/device.hpp"
#include "host/board/shape_check.hpp"
#include "host/board/wafer/board_wafer.hpp"

namespace weft::backends {

namespace {

/// Number of cores per wafer.
int share_of_cores(const config::Config& config) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  return cores / (config.runconfig.mode == "generate" ? 1 : config.runconfig.num_csx);
}

}  // namespace

int model_threads(const config::Config& config) {
  if (config.wafer_threads > 0) return std::min(config.wafer_threads, config.wafer.cols);
  constexpr int kVector = 16;  // lanes of the widest vector units
  return std::max(1, std::min(share_of_cores(config), config.wafer.cols * config.wafer.lanes / kVector));
}

int rtl_threads(const config::Config& config) {
  const machine::WaferShape& wafer = config.wafer;
  if (config.wafer_threads > 0) return std::min(config.wafer_threads, wafer.rows);
  constexpr int kTiles = 32;  // tiles per thread: a cycle of them takes much longer than synchronizing two threads
  return std::max(1, std::min({share_of_cores(config), wafer.rows * wafer.cols / kTiles, wafer.rows}));
}

namespace {

using Made = std::unique_ptr<Wafer>;
using SharedTraffic = std::shared_ptr<board::LinkTraffic>;

Made make_model(const config::Config& config, int, SharedTraffic) {
  return make_model_wafer(config.group_wafer(), model_threads(config), config.wafer_depth);
}

Made make_rtl(const config::Config& config, int, SharedTraffic) {
  return make_rtl_wafer(config.group_wafer(), rtl_threads(config));
}

Made make_board(const config::Config& config, int id, SharedTraffic traffic) {
  board::Device device = board::open_device(config.device_of(id), config.fpga_baud, board::emulator_program());
  return board::make_board_wafer(std::move(device.line), config.wafer, std::move(traffic), std::move(device.needs));
}

/// The factory for each entry of kBackends, found by name.
struct Maker {
  std::string_view name;
  Made (*make)(const config::Config& config, int id, SharedTraffic traffic);
};
constexpr std::array kMakers = {Maker{"model", make_model}, Maker{"rtl", make_rtl}, Maker{"fpga", make_board}};
static_assert(std::ranges::equal(kMakers, config::kBackends, {}, &Maker::name, &config::BackendKind::name),
              "a kind, a maker");

Made make_one(std::string_view backend, const config::Config& config, int id, SharedTraffic traffic) {
  return std::ranges::find(kMakers, backend, &Maker::name)->make(config, id, std::move(traffic));
}

}  // namespace

std::unique_ptr<Wafer> make_wafer(const config::Config& config, int id, std::shared_ptr<board::LinkTraffic> traffic) {
  const std::string backend = config.backend_of(id);
  auto wafer = make_one(backend, config, id, std::move(traffic));
  if (config.check == "none") return wafer;
  return make_checked_wafer(backend, std::move(wafer), config.check, make_one(config.check, config, id, {}));
}

void meet_boards(config::Config& config, std::ostream& out) {
  const std::string& mode = config.runconfig.mode;
  const bool runs = mode != "compile_only" && mode != "validate_only";
  std::vector<std::string> met;
  for (int id = 0; id < config.wafers(); ++id) {
    machine::WaferShape& wafer = config.wafer;
    const bool asks = runs || wafer.rows == 0 || wafer.cols == 0 || wafer.sram_kib == 0;
    if (!asks || !config.kind_of(id).board) continue;
    const std::string& device = config.device_of(id);
    if (std::ranges::find(met, device) != met.end()) continue;
    met.push_back(device);
    const auto [info, settings] = board::meet_board(device, config.fpga_baud, board::emulator_program());
    if (wafer.rows == 0) wafer.rows = info.rows;
    if (wafer.cols == 0) wafer.cols = info.cols;
    if (wafer.sram_kib == 0) wafer.sram_kib = info.sram_kib;
    if (wafer.valves == 0) wafer.valves = 1;
    if (wafer.sequence_columns == 0) wafer.sequence_columns = 1;
    board::check_shape(info, wafer, device);
    out << "board   " << device << ": " << info.text() << '\n';
    if (!settings.empty()) out << "line    " << device << ": " << settings << '\n';
    out << '\n';
  }
}

}  // namespace weft::backends
