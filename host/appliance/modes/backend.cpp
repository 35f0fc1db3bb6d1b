#include "host/appliance/modes/backend.hpp"

#include <algorithm>
#include <thread>

namespace weft {

int model_threads(const Config& config) {
  if (config.wafer_threads > 0) return config.wafer_threads;
  constexpr int kVector = 16;  // lanes, of the widest machines
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  return std::max(1, std::min(cores / config.runconfig.num_csx, config.wafer.cols * config.wafer.lanes / kVector));
}

std::unique_ptr<Wafer> make_wafer(const Config& config) {
  return config.backend == "rtl" ? make_rtl_wafer(config.wafer) : make_model_wafer(config.wafer, model_threads(config));
}

}  // namespace weft
