#include "host/config/check/check_config.hpp"

#include "host/config/check/sections.hpp"

namespace weft::config {

void check_config(const Config& config) {
  check_paths(config);
  check_batches(config);
  check_wafer(config);
  check_training(config);
  check_data(config);
  check_generate(config);
  check_sparsity(config);
}

}  // namespace weft::config
