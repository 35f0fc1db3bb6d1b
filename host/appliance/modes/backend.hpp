/// The wafers that a run is made of.
#pragma once

#include <memory>

#include "host/appliance/config/config.hpp"
#include "verif/wafer.hpp"

namespace weft {

/// Threads of one wafer of the functional model: wafer.threads, at most one a column, or, if it is 0, the cores over
/// the wafers, and at most as many as have a whole vector of lanes each to do. The result does not depend on it.
int model_threads(const Config& config);

/// A wafer of the backend that wafer.backend names.
std::unique_ptr<Wafer> make_wafer(const Config& config);

}  // namespace weft
