/// Every test of the RTL can be traced: `WEFT_WAVES=out/waves build/tests/X --gtest_filter=Y` writes a GTKWave trace of
/// each replicated wafer that the test makes (the first eight), of the tiles WEFT_WAVES_TILES (default 0,0; syntax as
/// in `weft waves --tile`).
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <vector>

#include "verif/sim/clocked_wafer.hpp"
#include "verif/trace/tile_list.hpp"
#include "verif/trace/trace.hpp"

namespace weft::test {
namespace {

class Traces {
 public:
  explicit Traces(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
    sim::wafer_created_hook = [this](sim::ClockedWafer& wafer) { add(wafer); };
  }
  ~Traces() {
    for (const auto& trace : traces_) {
      trace->close();
      std::cerr << "trace " << trace->view().string() << '\n';
    }
  }

 private:
  static constexpr std::size_t kMost = 8;

  void add(sim::ClockedWafer& wafer) {
    const std::lock_guard lock(mutex_);
    if (traces_.size() == kMost) return;
    const machine::WaferShape& shape = wafer.shape();
    std::vector<sim::TilePlace> tiles = {{0, 0}};
    if (const char* wanted = std::getenv("WEFT_WAVES_TILES")) tiles = trace::parse_tiles(wanted, shape);
    traces_.push_back(std::make_unique<trace::Trace>(
        trace::Trace::Options{.file = folder_ / ("wafer_" + std::to_string(traces_.size()) + ".fst"), .tiles = tiles},
        shape, nullptr));
    wafer.watch(traces_.back().get(), tiles);
  }

  const std::filesystem::path folder_;
  std::mutex mutex_;  // wafers are made by threads
  std::vector<std::unique_ptr<trace::Trace>> traces_;
};

const std::unique_ptr<Traces> traces =
    std::getenv("WEFT_WAVES") ? std::make_unique<Traces>(std::getenv("WEFT_WAVES")) : nullptr;

}  // namespace
}  // namespace weft::test
