#include "host/appliance/modes/backend.hpp"

#include <algorithm>
#include <thread>

namespace weft {

int model_threads(const Config& config) {
  if (config.wafer_threads > 0) return std::min(config.wafer_threads, config.wafer.cols);
  constexpr int kVector = 16;  // lanes, of the widest machines
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int wafers = config.runconfig.mode == "generate" ? 1 : config.runconfig.num_csx;
  return std::max(1, std::min(cores / wafers, config.wafer.cols * config.wafer.lanes / kVector));
}

std::unique_ptr<Wafer> make_wafer(const Config& config) {
  return config.backend == "rtl" ? make_rtl_wafer(config.wafer)
                                 : make_model_wafer(config.wafer, model_threads(config), config.wafer_depth);
}

}  // namespace weft
