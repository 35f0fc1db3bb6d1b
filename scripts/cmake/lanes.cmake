# Widths of the simulated RTL, and gen/weft_lanes.hpp with these widths for C++.
set(WEFT_LANES 4 CACHE STRING "Widths of the simulated RTL: 4 and any of 2, 8, 16 (make build LANES=8 adds 8)")
set(WEFT_GENERAL "" CACHE STRING "Widths of the simulated RTL of general tiles: any of 2, 4, 8, 16 (make build GENERAL=4)")
foreach(lanes ${WEFT_LANES} ${WEFT_GENERAL})
  if(NOT lanes MATCHES "^(2|4|8|16)$")
    message(FATAL_ERROR "WEFT_LANES, WEFT_GENERAL: ${lanes} is not 2, 4, 8 or 16")
  endif()
endforeach()
if(NOT 4 IN_LIST WEFT_LANES)
  message(FATAL_ERROR "WEFT_LANES: ${WEFT_LANES} is without 4, which tests and benchmarks need")
endif()
list(JOIN WEFT_LANES ", " lanes)
set(general "")
foreach(lanes_of ${WEFT_GENERAL})
  string(APPEND general "${lanes_of}, ")
endforeach()
file(CONFIGURE OUTPUT gen/weft_lanes.hpp CONTENT [[
/// The widths of the RTL that this build simulates (WEFT_LANES in CMakeLists.txt).
#pragma once

#include <algorithm>
#include <iterator>

namespace weft {

inline constexpr int kRtlLanes[] = {@lanes@};
inline bool rtl_has(int lanes) { return std::ranges::find(kRtlLanes, lanes) != std::end(kRtlLanes); }

/// The widths of its general tiles (WEFT_GENERAL); 0 ends the list.
inline constexpr int kRtlGeneralLanes[] = {@general@0};
inline bool rtl_has_general(int lanes) {
  return std::ranges::find(kRtlGeneralLanes, lanes) != std::end(kRtlGeneralLanes);
}

}  // namespace weft
]] @ONLY)
