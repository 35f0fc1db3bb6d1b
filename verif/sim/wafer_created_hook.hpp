/// Hook called for every RTL wafer, so that any test can write traces on request (tests/trace_on_request.cpp).
#pragma once

#include <functional>

namespace weft {

class ClockedWafer;

/// Called with each new replicated wafer when it is ready; may be empty. Must be set before the first wafer is created.
inline std::function<void(ClockedWafer&)> wafer_made;

}  // namespace weft
