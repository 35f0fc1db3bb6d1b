#include "host/appliance/version.hpp"

#include <fmt/format.h>

#include "weft_commit.hpp"
#include "weft_lanes.hpp"

namespace weft {

std::string version_text() {
  return fmt::format("weft {}, commit {}, RTL of {} lanes", WEFT_VERSION, WEFT_COMMIT, fmt::join(kRtlLanes, ", "));
}

}  // namespace weft
