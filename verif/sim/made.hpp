/// Somebody who wants to know of every RTL wafer that is made: tests that are asked for traces
/// (tests/trace_on_request.cpp).
#pragma once

#include <functional>

namespace weft {

class ClockedWafer;

/// Called with each stamped wafer, when it is ready; empty: with none. Set before the first one is made.
inline std::function<void(ClockedWafer&)> wafer_made;

}  // namespace weft
