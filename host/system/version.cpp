#include "host/system/version.hpp"

#include <fmt/format.h>

#include "weft_commit.hpp"
#include "weft_lanes.hpp"

namespace weft::system {

std::string version_text() {
  return fmt::format("weft {}, RTL of {} lanes, {}", build_text(), fmt::join(kRtlLanes, ", "), WEFT_LIBRARIES);
}

std::string build_text() { return fmt::format("{}, commit {}", WEFT_VERSION, WEFT_COMMIT); }

}  // namespace weft::system
