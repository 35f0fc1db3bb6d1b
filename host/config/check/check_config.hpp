/// Checks a configuration as a whole.
#pragma once

#include "host/config/config.hpp"

namespace weft::config {

/// Checks rules that relate several keys, e.g. heads must divide hidden_size. Throws Refusal.
void check_config(const Config& config);

}  // namespace weft::config
